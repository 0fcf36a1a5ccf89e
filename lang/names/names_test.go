package names

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSnake(t *testing.T) {
	for name, want := range map[string]string{
		"": "", "x": "x", "X": "x", "userName": "user_name", "UserID": "user_id", "HTTPServer": "http_server",
		"MAX_SIZE": "max_size", "Max_Size": "max_size", "utf8Len": "utf8_len", "Utf8Len": "utf8_len", "ÄrgerÜber": "ärger_über",
		"ID": "id", "already_snake": "already_snake", "_Private": "_private",
	} {
		require.Equal(t, want, Snake(name), name)
	}
}

func TestCamel(t *testing.T) {
	for name, want := range map[string]string{
		"": "", "_": "", "x": "X", "user_id": "UserId", "User": "User", "äpfel_und": "ÄpfelUnd", "a__b": "AB", "_private": "Private", "MAX_SIZE": "MAXSIZE",
	} {
		require.Equal(t, want, Camel(name), name)
	}
}
