//go:build linux && amd64 && !race && !checkedloop && go1.26 && !go1.28

#include "textflag.h"

// func hasAVX() bool
TEXT ·hasAVX(SB), NOSPLIT, $0-1
	MOVB $0, ret+0(FP)
	MOVL $1, AX
	XORL CX, CX
	CPUID
	ANDL $0x18000000, CX // AVX and XGETBV
	CMPL CX, $0x18000000
	JNE  done
	XORL CX, CX
	XGETBV
	ANDL $6, AX // the system keeps XMM and YMM
	CMPL AX, $6
	JNE  done
	MOVB $1, ret+0(FP)
done:
	RET
