//go:build linux && amd64 && !race && !checkedloop && go1.26 && !go1.28

package native

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/runnel-lang/runnel/internal/x86text"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// forms are the instructions in all forms that are encoded differently, as binutils shows
// them.
var forms = []struct {
	emit func(a *asm)
	text string
}{
	{func(a *asm) { a.ld(rAX, R(r9)) }, "mov rax,r9"},
	{func(a *asm) { a.ld(r10, M(rBX, 0)) }, "mov r10,QWORD PTR [rbx]"},
	{func(a *asm) { a.ld(rCX, M(rBP, 0)) }, "mov rcx,QWORD PTR [rbp+0x0]"},
	{func(a *asm) { a.ld(rCX, M(r13, 0)) }, "mov rcx,QWORD PTR [r13+0x0]"},
	{func(a *asm) { a.ld(rCX, M(rSP, 8)) }, "mov rcx,QWORD PTR [rsp+0x8]"},
	{func(a *asm) { a.ld(rCX, M(r12, 8)) }, "mov rcx,QWORD PTR [r12+0x8]"},
	{func(a *asm) { a.ld(rSI, M(rBX, -8)) }, "mov rsi,QWORD PTR [rbx-0x8]"},
	{func(a *asm) { a.ld(rSI, M(rBX, 4096)) }, "mov rsi,QWORD PTR [rbx+0x1000]"},
	{func(a *asm) { a.ld(rSI, MX(r8, r9, 8, 16)) }, "mov rsi,QWORD PTR [r8+r9*8+0x10]"},
	{func(a *asm) { a.ld(rSI, MX(rAX, r12, 4, 0)) }, "mov rsi,QWORD PTR [rax+r12*4]"},
	{func(a *asm) { a.ld(rSI, MX(r13, rDX, 2, 0)) }, "mov rsi,QWORD PTR [r13+rdx*2+0x0]"},
	{func(a *asm) { a.ld(rSI, MX(rAX, rCX, 1, 1000)) }, "mov rsi,QWORD PTR [rax+rcx*1+0x3e8]"},
	{func(a *asm) { a.st(M(r15, 24), r14) }, "mov QWORD PTR [r15+0x18],r14"},
	{func(a *asm) { a.st32(M(rDX, 4), r9) }, "mov DWORD PTR [rdx+0x4],r9d"},
	{func(a *asm) { a.ld32(r12, M(r15, 4)) }, "mov r12d,DWORD PTR [r15+0x4]"},
	{func(a *asm) { a.sti(M(rBX, 8), -3) }, "mov QWORD PTR [rbx+0x8],0xfffffffffffffffd"},
	{func(a *asm) { a.sti32(M(r15, 8), 7) }, "mov DWORD PTR [r15+0x8],0x7"},
	{func(a *asm) { a.movi(r9, 0) }, "xor r9d,r9d"},
	{func(a *asm) { a.movi(rAX, 5) }, "mov eax,0x5"},
	{func(a *asm) { a.movi(r11, 1<<31) }, "mov r11d,0x80000000"},
	{func(a *asm) { a.movi(r11, -2) }, "mov r11,0xfffffffffffffffe"},
	{func(a *asm) { a.movi(r8, 1<<40) }, "movabs r8,0x10000000000"},
	{func(a *asm) { a.moviNF(r8, 0) }, "mov r8d,0x0"},
	{func(a *asm) { a.alu(aADD, rAX, R(r9)) }, "add rax,r9"},
	{func(a *asm) { a.alu(aSUB, r9, M(rBX, 8)) }, "sub r9,QWORD PTR [rbx+0x8]"},
	{func(a *asm) { a.alu(aCMP, rAX, M(r15, 16)) }, "cmp rax,QWORD PTR [r15+0x10]"},
	{func(a *asm) { a.alu(aAND, rDX, R(rCX)) }, "and rdx,rcx"},
	{func(a *asm) { a.alu(aOR, rDX, R(rCX)) }, "or rdx,rcx"},
	{func(a *asm) { a.alu(aXOR, rDX, R(r8)) }, "xor rdx,r8"},
	{func(a *asm) { a.aluM(aADD, M(rCX, 8), r10) }, "add QWORD PTR [rcx+0x8],r10"},
	{func(a *asm) { a.alui(aADD, R(rBX), 32) }, "add rbx,0x20"},
	{func(a *asm) { a.alui(aSUB, R(r9), 1000) }, "sub r9,0x3e8"},
	{func(a *asm) { a.alui(aCMP, M(rCX, 0), 12) }, "cmp QWORD PTR [rcx],0xc"},
	{func(a *asm) { a.lea(rAX, M(rBX, 48)) }, "lea rax,[rbx+0x30]"},
	{func(a *asm) { a.test(r8, rAX) }, "test rax,r8"},
	{func(a *asm) { a.testb1(R(rSI)) }, "test sil,0x1"},
	{func(a *asm) { a.testb1(R(rAX)) }, "test al,0x1"},
	{func(a *asm) { a.testb1(M(rBX, 8)) }, "test BYTE PTR [rbx+0x8],0x1"},
	{func(a *asm) { a.imul(r9, R(rCX)) }, "imul r9,rcx"},
	{func(a *asm) { a.imuli(rAX, R(r9), 3) }, "imul rax,r9,0x3"},
	{func(a *asm) { a.imuli(r9, M(rBX, 8), 1000) }, "imul r9,QWORD PTR [rbx+0x8],0x3e8"},
	{func(a *asm) { a.neg(r9) }, "neg r9"},
	{func(a *asm) { a.not(rAX) }, "not rax"},
	{func(a *asm) { a.imul1(R(r9)) }, "imul r9"},
	{func(a *asm) { a.idiv(R(rCX)) }, "idiv rcx"},
	{func(a *asm) { a.div32(R(rCX)) }, "div ecx"},
	{func(a *asm) { a.cqo() }, "cqo"},
	{func(a *asm) { a.shi(4, r9, 3) }, "shl r9,0x3"},
	{func(a *asm) { a.shi(5, rAX, 32) }, "shr rax,0x20"},
	{func(a *asm) { a.shi(7, rDX, 63) }, "sar rdx,0x3f"},
	{func(a *asm) { a.shcl(4, rAX) }, "shl rax,cl"},
	{func(a *asm) { a.shcl(7, r9) }, "sar r9,cl"},
	{func(a *asm) { a.movzxb(r9, MX(rCX, rAX, 1, 16)) }, "movzx r9d,BYTE PTR [rcx+rax*1+0x10]"},
	{func(a *asm) { a.movzxb(rAX, R(rAX)) }, "movzx eax,al"},
	{func(a *asm) { a.stb(MX(rCX, r8, 1, 16), rDX) }, "mov BYTE PTR [rcx+r8*1+0x10],dl"},
	{func(a *asm) { a.stb(M(rCX, 0), rSI) }, "mov BYTE PTR [rcx],sil"},
	{func(a *asm) { a.stbi(M(rCX, 3), 1) }, "mov BYTE PTR [rcx+0x3],0x1"},
	{func(a *asm) { a.cmpb(M(r15, 40), 0) }, "cmp BYTE PTR [r15+0x28],0x0"},
	{func(a *asm) { a.cmp32i(M(rCX, 4), 5) }, "cmp DWORD PTR [rcx+0x4],0x5"},
	{func(a *asm) { a.dec32(r12) }, "dec r12d"},
	{func(a *asm) { a.setcc(ccE, rAX) }, "sete al"},
	{func(a *asm) { a.setcc(ccNP, rCX) }, "setnp cl"},
	{func(a *asm) { a.cmov(ccA, rAX, R(rCX)) }, "cmova rax,rcx"},
	{func(a *asm) { a.ret() }, "ret"},
	{func(a *asm) { a.jmpM(M(r15, 8)) }, "jmp QWORD PTR [r15+0x8]"},
	{func(a *asm) { a.jmpM(MX(rDX, rAX, 1, 0)) }, "jmp QWORD PTR [rdx+rax*1]"},
	{func(a *asm) { a.callM(M(r15, 200)) }, "call QWORD PTR [r15+0xc8]"},
	{func(a *asm) { a.fld(3, R(9)) }, "vmovaps xmm3,xmm9"},
	{func(a *asm) { a.fld(12, M(rBX, 8)) }, "vmovsd xmm12,QWORD PTR [rbx+0x8]"},
	{func(a *asm) { a.fst(MX(r8, r9, 8, 16), 13) }, "vmovsd QWORD PTR [r8+r9*8+0x10],xmm13"},
	{func(a *asm) { a.fromG(9, R(r10)) }, "vmovq xmm9,r10"},
	{func(a *asm) { a.toG(r10, 9) }, "vmovq r10,xmm9"},
	{func(a *asm) { a.fop(fADD, 1, 2, R(11)) }, "vaddsd xmm1,xmm2,xmm11"},
	{func(a *asm) { a.fop(fMUL, 9, 10, M(rCX, 16)) }, "vmulsd xmm9,xmm10,QWORD PTR [rcx+0x10]"},
	{func(a *asm) { a.fop(fSUB, 0, 1, R(2)) }, "vsubsd xmm0,xmm1,xmm2"},
	{func(a *asm) { a.fop(fDIV, 0, 1, R(2)) }, "vdivsd xmm0,xmm1,xmm2"},
	{func(a *asm) { a.fop(fSQRT, 0, 1, R(2)) }, "vsqrtsd xmm0,xmm1,xmm2"},
	{func(a *asm) { a.ucomi(8, R(1)) }, "vucomisd xmm8,xmm1"},
	{func(a *asm) { a.vex(true, 3, 0x2a, 1, 1, R(r9)) }, "vcvtsi2sd xmm1,xmm1,r9"},
	{func(a *asm) { a.vex(true, 3, 0x2c, rAX, 0, R(9)) }, "vcvttsd2si rax,xmm9"},
	{func(a *asm) { a.vex(false, 0, 0x57, 4, 4, R(4)) }, "vxorps xmm4,xmm4,xmm4"},
	{func(a *asm) { a.vex(false, 1, 0x54, 4, 5, R(15)) }, "vandpd xmm4,xmm5,xmm15"},
}

// TestInstructionsAreThoseOfAnAssembler compares with what objdump reads.
func TestInstructionsAreThoseOfAnAssembler(t *testing.T) {
	objdump, err := exec.LookPath("objdump")
	if err != nil {
		t.Skip("there is no objdump")
	}
	var a asm
	var want []string
	for _, f := range forms {
		f.emit(&a)
		want = append(want, f.text)
	}
	name := filepath.Join(t.TempDir(), "code")
	require.NoError(t, os.WriteFile(name, a.b, 0o600))
	out, err := exec.Command(objdump, "-D", "-b", "binary", "-m", "i386:x86-64", "-M", "intel", "--no-show-raw-insn", name).Output()
	require.NoError(t, err)
	var got []string
	for _, m := range regexp.MustCompile(`(?m)^ +[0-9a-f]+:\t(.*)$`).FindAllStringSubmatch(string(out), -1) {
		got = append(got, strings.TrimSpace(regexp.MustCompile(` +`).ReplaceAllString(m[1], " ")))
	}
	require.Equal(t, want, got)
}

// The listing of what x86text decodes itself is that of an assembler, and all the rest is decoded.
func TestListingsAreThoseOfAnAssembler(t *testing.T) {
	index := regexp.MustCompile(`(\d)\*(r\w+)`)
	plain := strings.NewReplacer("QWORD PTR", "qword", ", ", ",")
	for _, f := range forms {
		var a asm
		f.emit(&a)
		text, n := x86text.Instruction(a.b, 0, func(int) string { return "" })
		assert.Len(t, a.b, n, f.text)
		if strings.HasPrefix(f.text, "v") {
			assert.Equal(t, plain.Replace(f.text), index.ReplaceAllString(plain.Replace(text), "$2*$1"))
		}
	}
}

func TestDivisionByConstantsIsExact(t *testing.T) {
	for _, d := range []int64{2, 3, 5, 7, 10, 100, 641, 1 << 20, 1<<62 + 1, 1<<63 - 1, -2, -3, -7, -1000003} {
		m, s := magic(d)
		for _, n := range []int64{0, 1, -1, 2, d, -d, d - 1, d + 1, 1<<63 - 1, -1 << 63, 1<<62 + 12345, -987654321} {
			require.Equal(t, n/d, quotient(n, d, m, s), "%d / %d", n, d)
		}
	}
}

// quotient is what divK computes.
func quotient(n, d, m int64, s uint) int64 {
	q := mulHigh(n, m)
	if d > 0 && m < 0 {
		q += n
	} else if d < 0 && m > 0 {
		q -= n
	}
	q >>= s
	return q + int64(uint64(q)>>63)
}

func mulHigh(x, y int64) int64 {
	x0, x1 := uint64(uint32(x)), x>>32
	y0, y1 := uint64(uint32(y)), y>>32
	w0 := x0 * y0
	t := x1*int64(y0) + int64(w0>>32)
	w1 := int64(uint32(t)) + int64(x0)*y1
	return x1*y1 + t>>32 + w1>>32
}
