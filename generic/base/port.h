/*
 * port.h -- the differences between compilers, platforms and Tcl versions.
 *
 * The only header with such #ifdefs. Every C file of the project includes it first (files that use Tcl include
 * <tcl.h> before it); everything after it is plain C11.
 */
#ifndef TAC_BASE_PORT_H
#define TAC_BASE_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define TAC_LIKELY(x) __builtin_expect(!!(x), 1)
#define TAC_INLINE inline __attribute__((always_inline))
#define TAC_NOINLINE __attribute__((noinline)) /* rare cases, kept out of a function that is called often */
#define TAC_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define TAC_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define TAC_EXPORT __attribute__((visibility("default")))
#define TAC_PREFETCH(p) __builtin_prefetch(p)
/* Before a declaration: what is not linked has the address NULL. */
#define TAC_OPTIONAL __attribute__((weak, visibility("hidden")))
#else
#define TAC_LIKELY(x) (x)
#define TAC_INLINE inline
#define TAC_NOINLINE
#define TAC_UNLIKELY(x) (x)
#define TAC_PRINTF(text, first)
#define TAC_EXPORT
#define TAC_PREFETCH(p) ((void) (p))
#define TAC_OPTIONAL
#endif

#define TAC_LITTLE_ENDIAN (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

/* Before a function: it is compiled for wider registers, too, and the machine that it runs on decides. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define TAC_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define TAC_CLONES
#endif

/* Defined where a file can be written before it has a name (O_TMPFILE). */
#ifdef __linux__
#define TAC_NAMELESS_FILES
#endif

/* Defined where files have extended attributes, and access lists among them. */
#ifdef __linux__
#define TAC_FILE_ATTRIBUTES
#endif

/* Defined where mallopt sets the size from which on a block is mapped by itself, and no sanitizer watches malloc. */
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define TAC_MAPPED_BLOCKS
#endif

/* Defined where the system can be asked for large pages below a range of memory (madvise). */
#ifdef __linux__
#define TAC_LARGE_PAGES
#endif

/* Tcl 9 counts with Tcl_Size; Tcl 8.6 with int. */
#if defined(TCL_MAJOR_VERSION) && !defined(TCL_SIZE_MAX)
typedef int Tcl_Size;
#define TCL_SIZE_MAX INT_MAX
#endif

#endif
