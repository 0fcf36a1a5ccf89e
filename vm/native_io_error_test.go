package vm

import (
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCausesAreToldWithoutThePath(t *testing.T) {
	_, err := os.Open("/no/such/file")
	require.Equal(t, "no such file or directory", ioCause(err).Error())
	plain := errors.New("plain")
	require.Equal(t, plain, ioCause(plain))
}
