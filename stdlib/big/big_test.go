package big_test

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	module "github.com/runnel-lang/runnel/stdlib/big"
	"github.com/runnel-lang/runnel/stdlib/sys"
)

const operations = `
import big
import sys
let x = big.parse(sys.env("X") ?? "", 16)
let y = big.parse(sys.env("Y") ?? "", 16)
let m = big.parse("1000000007")
for n in [x.add(y), x.sub(y), x.mul(y), x.div(y), x.rem(y), x.abs().sqrt(), x.gcd(y), x.pow(3), x.pow_mod(y.abs().rem(m), y), x.neg()] { print(n.to_str(16)) }
assert(big.parse(x.to_str()) == x && big.parse(y.to_str(7), 7) == y)
print(x.to_str(), x.compare(y), y.sign(), x.bit_len())
`

// What works in pieces gives what the library does in one.
func TestOperationsAreThoseOfMathBig(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	number := func(bits int) *big.Int {
		raw := make([]byte, bits/8+1)
		for i := range raw {
			raw[i] = byte([]uint32{0, 255, random.Uint32()}[random.IntN(3)])
		}
		n := new(big.Int).SetBytes(raw)
		if random.IntN(2) == 0 {
			n.Neg(n)
		}
		if n.Sign() == 0 {
			n.SetInt64(-1)
		}
		return n
	}
	env := map[string]string{}
	var out bytes.Buffer
	rt := runnel.MustNew(runnel.WithModules(module.Module, sys.Module), runnel.WithHost(runnel.Host{
		Stdout: &out,
		Env:    func(name string) (string, bool) { return env[name], true },
	}))
	prog, err := rt.Compile("operations.rnl", operations)
	require.NoError(t, err)
	sizes := []int{1, 40, 64, 500, 1100, 5000, 40_000, 70_000}
	for _, n := range sizes {
		for _, m := range sizes {
			x, y := number(n), number(m)
			env["X"], env["Y"] = x.Text(16), y.Text(16)
			out.Reset()
			in := prog.NewInstance()
			require.NoError(t, in.Run(context.Background()))
			in.Close()
			require.Equal(t, expected(x, y), out.String(), "%d and %d bits", n, m)
		}
	}
}

func expected(x, y *big.Int) string {
	z := func() *big.Int { return new(big.Int) }
	exponent := z().Rem(z().Abs(y), big.NewInt(1000000007))
	values := []*big.Int{z().Add(x, y), z().Sub(x, y), z().Mul(x, y), z().Quo(x, y), z().Rem(x, y), z().Sqrt(z().Abs(x)),
		z().GCD(nil, nil, z().Abs(x), z().Abs(y)), z().Exp(x, big.NewInt(3), nil), z().Exp(x, exponent, z().Abs(y)), z().Neg(x)}
	var out strings.Builder
	for _, v := range values {
		fmt.Fprintln(&out, v.Text(16))
	}
	fmt.Fprintln(&out, x, x.Cmp(y), y.Sign(), x.BitLen())
	return out.String()
}
