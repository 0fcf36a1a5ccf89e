package main

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out))
	for _, text := range []string{
		"== shop-dev\n{Listen:0.0.0.0:8080 TLS:false Timeout:5m0s}\nadmin ada, log level Debug, limits map[cart:100 search:120]",
		"== shop-production\n{Listen:0.0.0.0:443 TLS:true Timeout:10s}",
		"search-3 at 10.0.6.3:9003, weight 1",
		"80800 is no port: it must be from 1 to 65535\n  at lib/net.rnl:5:33\n  at service.rnl:12:11",
		"`Server` has no field `tsl`\n",
		"service.rnl:21:",
		"cannot read `name`: string is not a Go type for int",
		"cannot import `../../etc/net`",
	} {
		assert.Contains(t, out.String(), text)
	}
}

func TestAConfigurationSeesTheVariablesItIsGranted(t *testing.T) {
	t.Setenv("ADMIN", "everybody")
	config, err := fs.Sub(files, "config")
	require.NoError(t, err)
	c, err := Load(t.Context(), config, "service.rnl", map[string]string{"STAGE": "test"})
	require.NoError(t, err)
	assert.Equal(t, "shop-test", c.Name)
	assert.Nil(t, c.Admin)
}

func TestAConfigurationCannotGoOnForEver(t *testing.T) {
	config := fstest.MapFS{"c.rnl": {Data: []byte(`pub let name = loop {}`)}}
	_, err := Load(t.Context(), config, "c.rnl", nil)
	assert.ErrorContains(t, err, "is reached")
}
