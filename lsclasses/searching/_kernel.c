/*
 * Does a version space shatter a complete tree of depth k, and how deep are its trees in expectation?
 * The native engine of the searches.
 *
 * The algorithm is that of lsclasses/searching/numpy_engine.py, on columns of 64-bit words:
 * compaction at every restriction, counts of pairs of columns as look-ahead, the weaker side first,
 * and bounds remembered under keys that isomorphic version spaces mostly share.  A key is the whole
 * table in some order and keys are compared byte by byte, so no answer rests on a hash.
 *
 * The kernel knows no Python objects.  It runs without the interpreter's lock, and calls `poll` every
 * few milliseconds; the binding at the end of this file lets signals and limits in there.  A search
 * that is stopped leaves its memory in order, and may be asked again.
 *
 * Recursion is at most 63 levels deep for complete trees, since depth k takes 2^k concepts and every
 * level takes one off k, and at most PLACES levels for expected depths.
 */

#ifndef KERNEL_WITHOUT_PYTHON
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#endif

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if !defined(__GNUC__)
#error "The kernel is written for GCC and Clang; without it NumPy answers."
#endif
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "The kernel packs columns as little-endian machines do; without it NumPy answers."
#endif
#if !defined(__SIZEOF_INT128__)
#error "The kernel counts expected depths in integers of 128 bits; without it NumPy answers."
#endif
#if defined(__x86_64__)
#define X86 1
#include <immintrin.h>
#endif

#ifndef KERNEL_MALLOC /* the harness of the tests lets allocations fail */
#define KERNEL_MALLOC malloc
#endif
#ifndef KERNEL_HASH_BITS /* and hashes collide */
#define KERNEL_HASH_BITS UINT64_MAX
#endif
#ifndef KERNEL_PRIME /* and columns look independent that are not; 2^31 weights below it fit a word */
#define KERNEL_PRIME (((uint64_t)1 << 31) - 1)
#endif

enum { NO = 0, YES = 1, STOPPED = -1 };
enum { RUNNING = 0, INTERRUPTED, GAVE_UP, LIMIT_OF_MEMORY, OUT_OF_MEMORY, TOO_DEEP, OVERTAKEN };

/* Expected depths, which are below 32, in units of 2^-PLACES; there is no rounding. */
__extension__ typedef __int128 Depth __attribute__((aligned(8)));
#define PLACES 118
#define ONE ((Depth)1 << PLACES)
#define NO_BOUND (32 * ONE)
#define HOPE_PLACES 24 /* of upper bounds by counting */

/* The concepts that label some points in one way, as far as further points tell them apart. */
typedef struct {
    uint64_t size;
    size_t width;
    const uint64_t *columns; /* `width` words each; bits of other concepts are 0 */
    const uint64_t *members; /* bits of the concepts; NULL if they are the first ones */
} Cell;

/* A version space: distinct rows, and columns none of which is constant.  Column j is the words from
 * columns + j * width on; bit i of it is the label that concept i gives it, bits beyond are 0. */
typedef struct {
    uint64_t concepts;
    size_t points, width;
    const uint64_t *columns;
} Space;

#define NORMAL_UP_TO_POINTS 128 /* with more, a normal form costs more than it finds */
#define NORMAL_FROM_CONCEPTS 200 /* smaller version spaces are searched again faster */
#define INDIVIDUALISATIONS 16
#define WORDS_BETWEEN_POLLS (1 << 23)
#define SHARED_FROM_CONCEPTS 200 /* of smaller version spaces threads do not share the columns */
#define ALONE 50000 /* microseconds of work before there are other threads */
#define BLOCK 256 /* words of a column that are counted at a time, so that a block of all stays near */
#define LINE 8 /* words of a column that lie together in the cache */
#define PART 64 /* words of a mask that columns are compressed under at a time */

/* ---- what depends on the processor ---------------------------------------------------------- */

typedef struct {
    const char *name;
    void (*count)(const uint64_t *columns, size_t points, size_t width, uint32_t *ones);
    /* both[x * points + y] += how many of the words' bits x and y share, for y <= x */
    void (*pairs)(const uint64_t *columns, size_t points, size_t stride, size_t words, uint32_t *both);
    /* both[y] = how many bits columns x and y share, for all y */
    void (*row)(const uint64_t *columns, size_t points, size_t width, size_t x, uint32_t *both);
    /* Of each chosen column the bits that stand under the ones of the mask, moved together: `kept`
     * words, one column behind the other. */
    void (*compress)(const uint64_t *columns, size_t width, const uint32_t *chosen, size_t count,
                     const uint64_t *mask, size_t kept, uint64_t *out);
    /* sums[i] += a product of the halves of row[i] and mark, for every i */
    void (*mix)(uint64_t *sums, const uint64_t *row, size_t count, uint64_t mark);
    void (*transpose)(uint64_t block[64]);
    /* Leaves of the other columns those that split with x each cell into parts of at least `least`, unless
     * fewer are left than wanted; how many.  Cells that leave few are asked sooner from then on. */
    size_t (*partners)(Cell *cells, size_t count, size_t x, uint32_t *others, size_t left, size_t wanted,
                       uint64_t least);
    /* Upper bounds on the expected depths of the two sides of a column with `here` ones, given how many
     * of `concepts` each column shares with it, and has; in units of 2^-HOPE_PLACES. */
    void (*hopes)(const uint32_t *both, const uint32_t *ones, size_t points, uint32_t here,
                  uint32_t concepts, int32_t hopes[2]);
} Level;

#define INLINE static inline __attribute__((always_inline))

INLINE uint32_t shared_bits(const uint64_t *a, const uint64_t *b, size_t words)
{
    uint64_t sum = 0;
    for (size_t w = 0; w < words; w++)
        sum += (uint64_t)__builtin_popcountll(a[w] & b[w]);
    return (uint32_t)sum;
}

INLINE void count_generic(const uint64_t *columns, size_t points, size_t width, uint32_t *ones)
{
    for (size_t j = 0; j < points; j++)
        ones[j] = shared_bits(columns + j * width, columns + j * width, width);
}

INLINE void pairs_of_width(const uint64_t *columns, size_t points, size_t stride, size_t words,
                           uint32_t *both)
{
    for (size_t x = 0; x < points; x++) {
        const uint64_t *column = columns + x * stride;
        uint32_t *row = both + x * points;
        size_t y = 0;
        /* Four at a time, so that a word of column x is read once for all. */
        for (; y + 3 <= x; y += 4) {
            const uint64_t *other = columns + y * stride;
            uint64_t sums[4] = {0};
            for (size_t w = 0; w < words; w++)
                for (size_t i = 0; i < 4; i++)
                    sums[i] += (uint64_t)__builtin_popcountll(column[w] & other[i * stride + w]);
            for (size_t i = 0; i < 4; i++)
                row[y + i] += (uint32_t)sums[i];
        }
        for (; y <= x; y++)
            row[y] += shared_bits(column, columns + y * stride, words);
    }
}

INLINE void pairs_generic(const uint64_t *columns, size_t points, size_t stride, size_t words,
                          uint32_t *both)
{
    switch (words) {
    case 1: pairs_of_width(columns, points, stride, 1, both); break;
    case 2: pairs_of_width(columns, points, stride, 2, both); break;
    case 3: pairs_of_width(columns, points, stride, 3, both); break;
    case 4: pairs_of_width(columns, points, stride, 4, both); break;
    default: pairs_of_width(columns, points, stride, words, both);
    }
}

INLINE void row_of_width(const uint64_t *columns, size_t points, size_t width, size_t x,
                         uint32_t *both)
{
    for (size_t y = 0; y < points; y++)
        both[y] = shared_bits(columns + x * width, columns + y * width, width);
}

INLINE void row_generic(const uint64_t *columns, size_t points, size_t width, size_t x,
                        uint32_t *both)
{
    switch (width) {
    case 1: row_of_width(columns, points, 1, x, both); break;
    case 2: row_of_width(columns, points, 2, x, both); break;
    case 3: row_of_width(columns, points, 3, x, both); break;
    default: row_of_width(columns, points, width, x, both);
    }
}

/* How the bits under a part of a mask are moved together, worked out once for all columns. */
typedef struct {
    uint64_t moves[6][PART]; /* in each word the bits that move by 1, 2, 4, ... */
    size_t used;             /* how many words of the mask are not 0 */
    uint8_t from[PART];      /* these words; */
    uint32_t to[PART + 1];   /* the word that the bits of each come to, and further bits would, */
    uint8_t shift[PART + 1]; /* from which bit on */
} Plan;

/* Compress or generalized extract, H. S. Warren, Hacker's Delight, section 7-4: the part that depends on
 * the mask alone, and the part that is left for a column.  Compilers do several words at a time. */
INLINE void plan_moves(Plan *plan, const uint64_t *mask, size_t words)
{
    for (size_t w = 0; w < words; w++) {
        uint64_t under = mask[w], left = ~under << 1;
        for (int i = 0; i < 6; i++) {
            uint64_t parity = left ^ (left << 1);
            parity ^= parity << 2;
            parity ^= parity << 4;
            parity ^= parity << 8;
            parity ^= parity << 16;
            parity ^= parity << 32;
            const uint64_t move = parity & under;
            under = (under ^ move) | (move >> (1 << i));
            left &= ~parity;
            plan->moves[i][w] = move;
        }
    }
}

INLINE void gather_by_moves(const Plan *plan, const uint64_t *column, const uint64_t *mask, size_t words,
                            uint64_t *gathered)
{
    for (size_t w = 0; w < words; w++) {
        uint64_t bits = column[w] & mask[w];
        for (int i = 0; i < 6; i++) {
            const uint64_t moved = bits & plan->moves[i][w];
            bits = (bits ^ moved) | (moved >> (1 << i));
        }
        gathered[w] = bits;
    }
}

/* Where bits go, if so many stand in the first word already; how many stand then. */
INLINE size_t plan_places(Plan *plan, const uint64_t *mask, size_t words, size_t standing)
{
    plan->used = 0;
    for (size_t w = 0; w < words; w++) {
        plan->to[plan->used] = (uint32_t)(standing / 64);
        plan->shift[plan->used] = standing % 64;
        plan->from[plan->used] = (uint8_t)w;
        plan->used += mask[w] != 0;
        standing += (size_t)__builtin_popcountll(mask[w]);
    }
    plan->to[plan->used] = (uint32_t)(standing / 64);
    plan->shift[plan->used] = standing % 64;
    return standing;
}

INLINE void put_together(const Plan *plan, const uint64_t *gathered, uint64_t *out)
{
    uint64_t pending = plan->shift[0] ? out[0] : 0;
    for (size_t i = 0; i < plan->used; i++) {
        const uint64_t bits = gathered[plan->from[i]], beyond = bits >> 1 >> (63 - plan->shift[i]);
        const uint64_t stays = (uint64_t)(plan->to[i] != plan->to[i + 1]) - 1;
        pending |= bits << plan->shift[i];
        out[plan->to[i]] = pending;
        pending = (pending & stays) | (beyond & ~stays);
    }
    if (plan->shift[plan->used])
        out[plan->to[plan->used]] = pending;
}

#define COMPRESS_BODY(PLAN, GATHER)                                                                \
    Plan plan;                                                                                     \
    uint64_t gathered[PART];                                                                       \
    size_t standing = 0;                                                                           \
    for (size_t w = 0; w < width; w += PART) {                                                     \
        const size_t words = width - w < PART ? width - w : PART;                                  \
        uint64_t *first = out + standing / 64;                                                     \
        PLAN(&plan, mask + w, words);                                                              \
        standing = standing / 64 * 64 + plan_places(&plan, mask + w, words, standing % 64);        \
        for (size_t j = 0; j < count; j++) {                                                       \
            GATHER(&plan, columns + chosen[j] * width + w, mask + w, words, gathered);             \
            put_together(&plan, gathered, first + j * kept);                                       \
        }                                                                                          \
    }

INLINE void mix_generic(uint64_t *sums, const uint64_t *row, size_t count, uint64_t mark)
{
    for (size_t i = 0; i < count; i++)
        sums[i] += (uint64_t)(uint32_t)(row[i] + mark) * (uint32_t)((row[i] >> 32) + (mark >> 32));
}

INLINE void swap_halves(uint64_t block[64], int size, uint64_t mask)
{
    for (int i = 0; i < 64; i += 2 * size)
        for (int j = i; j < i + size; j++) {
            const uint64_t swap = ((block[j] >> size) ^ block[j + size]) & mask;
            block[j] ^= swap << size;
            block[j + size] ^= swap;
        }
}

INLINE void transpose_generic(uint64_t block[64])
{
    /* Hacker's Delight, section 7-3, with bit 0 first. */
    swap_halves(block, 32, 0x00000000ffffffffu);
    swap_halves(block, 16, 0x0000ffff0000ffffu);
    swap_halves(block, 8, 0x00ff00ff00ff00ffu);
    swap_halves(block, 4, 0x0f0f0f0f0f0f0f0fu);
    swap_halves(block, 2, 0x3333333333333333u);
    swap_halves(block, 1, 0x5555555555555555u);
}

/* Whether two columns split a cell into parts of at least `least`: enough is seen of a large one mostly
 * after a few words. */
INLINE int quartered(const Cell *c, const uint64_t *a, const uint64_t *b, uint64_t least)
{
    const size_t width = c->width;
    uint64_t both = 0, in_a = 0, in_b = 0, seen;
    int enough;
    size_t w = 0;
    do {
        const size_t end = width - w < LINE * LINE ? width : w + LINE * LINE;
        for (; w < end; w++) {
            both += (uint64_t)__builtin_popcountll(a[w] & b[w]);
            in_a += (uint64_t)__builtin_popcountll(a[w]);
            in_b += (uint64_t)__builtin_popcountll(b[w]);
        }
        seen = w < width ? 64 * w : c->size;
        enough = (both >= least) & (in_a >= least + both) & (in_b >= least + both)
               & (seen + both >= least + in_a + in_b);
    } while (!enough && w < width);
    return enough;
}

INLINE size_t partners_in_wide(const Cell *c, size_t x, uint32_t *others, size_t count, uint64_t least)
{
    const uint64_t *column = c->columns + x * c->width;
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t y = others[i];
        others[left] = y;
        left += (size_t)quartered(c, column, c->columns + y * c->width, least);
    }
    return left;
}

/* The same in a cell of one word or two.  Parts have from `least` to all but `least` concepts of a side. */
INLINE size_t partners_in_narrow(const Cell *c, size_t width, size_t x, uint32_t *others, size_t count,
                                 uint64_t least)
{
    const uint64_t *a = c->columns + x * width;
    uint64_t ones = 0;
    size_t left = 0;
    for (size_t w = 0; w < width; w++)
        ones += (uint64_t)__builtin_popcountll(a[w]);
    const uint64_t zeros = c->size - ones, span1 = ones - 2 * least, span0 = zeros - 2 * least;
    if (ones < 2 * least || zeros < 2 * least)
        return 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t y = others[i];
        const uint64_t *b = c->columns + y * width;
        uint64_t in1 = 0, in0 = 0;
        for (size_t w = 0; w < width; w++) {
            in1 += (uint64_t)__builtin_popcountll(b[w] & a[w]);
            in0 += (uint64_t)__builtin_popcountll(b[w] & ~a[w]);
        }
        others[left] = y;
        left += (size_t)((in1 - least <= span1) & (in0 - least <= span0));
    }
    return left;
}

INLINE size_t partners_generic(Cell *cells, size_t count, size_t x, uint32_t *others, size_t left,
                               size_t wanted, uint64_t least)
{
    for (size_t i = 0; i < count && left >= wanted; i++) {
        const Cell c = cells[i];
        const size_t before = left;
        switch (c.width) {
        case 1: left = partners_in_narrow(&c, 1, x, others, left, least); break;
        case 2: left = partners_in_narrow(&c, 2, x, others, left, least); break;
        default: left = partners_in_wide(&c, x, others, left, least);
        }
        if (left < before / 2) {
            cells[i] = cells[i / 2];
            cells[i / 2] = c;
        }
    }
    return left;
}

/* A tree with m leaves has an expected depth of at most F(m) = k + (m - 2^k) / 2^k for 2^k <= m < 2^(k+1),
 * that of the most balanced one.  The bits of m as a single precision number are (127 + F(m)) * 2^23 up to
 * m = 2^24, and beyond that at most half a unit off; of 0 they are 0, which makes F(0) = -127. */
INLINE int32_t balanced_bits(uint32_t m)
{
    const float number = (float)(int32_t)m;
    int32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits - (127 << 23);
}

INLINE void hopes_generic(const uint32_t *both, const uint32_t *ones, size_t points, uint32_t here,
                          uint32_t concepts, int32_t hopes[2])
{
    const uint32_t rest = concepts - here;
    const int32_t two = 2 << 23, whole[2] = {2 * balanced_bits(rest), 2 * balanced_bits(here)};
    int32_t split0 = -two, split1 = -two;
    for (size_t y = 0; y < points; y++) {
        const uint32_t in1 = both[y], in0 = ones[y] - in1;
        const int32_t sum0 = balanced_bits(in0) + balanced_bits(rest - in0);
        const int32_t sum1 = balanced_bits(in1) + balanced_bits(here - in1);
        split0 = split0 > sum0 ? split0 : sum0;
        split1 = split1 > sum1 ? split1 : sum1;
    }
    hopes[0] = two + split0 < whole[0] ? two + split0 : whole[0];
    hopes[1] = two + split1 < whole[1] ? two + split1 : whole[1];
    for (int side = 0; side < 2; side++)
        hopes[side] += concepts >> 24 != 0; /* two numbers, each rounded by half a unit */
}

#define LEVEL(NAME, ATTRIBUTES, PLAN, GATHER, MIX)                                                       \
    ATTRIBUTES static void count_##NAME(const uint64_t *c, size_t n, size_t w, uint32_t *o)        \
    { count_generic(c, n, w, o); }                                                                 \
    ATTRIBUTES static void pairs_##NAME(const uint64_t *c, size_t n, size_t s, size_t w,           \
                                        uint32_t *b)                                               \
    { pairs_generic(c, n, s, w, b); }                                                              \
    ATTRIBUTES static void row_##NAME(const uint64_t *c, size_t n, size_t w, size_t x, uint32_t *b)\
    { row_generic(c, n, w, x, b); }                                                                \
    ATTRIBUTES static void compress_##NAME(const uint64_t *columns, size_t width,                  \
                                           const uint32_t *chosen, size_t count,                   \
                                           const uint64_t *mask, size_t kept, uint64_t *out)       \
    { COMPRESS_BODY(PLAN, GATHER) }                                                                \
    ATTRIBUTES static void mix_##NAME(uint64_t *s, const uint64_t *r, size_t n, uint64_t m)        \
    { MIX(s, r, n, m); }                                                                           \
    ATTRIBUTES static void transpose_##NAME(uint64_t block[64])                                    \
    { transpose_generic(block); }                                                                  \
    ATTRIBUTES static size_t partners_##NAME(Cell *c, size_t n, size_t x, uint32_t *o, size_t f,   \
                                             size_t w, uint64_t l)                                 \
    { return partners_generic(c, n, x, o, f, w, l); }                                              \
    ATTRIBUTES static void hopes_##NAME(const uint32_t *b, const uint32_t *o, size_t n, uint32_t h,\
                                        uint32_t m, int32_t hopes[2])                              \
    { hopes_generic(b, o, n, h, m, hopes); }                                                       \
    static const Level level_##NAME = {#NAME, count_##NAME, pairs_##NAME, row_##NAME,              \
                                       compress_##NAME, mix_##NAME, transpose_##NAME,          \
                                       partners_##NAME, hopes_##NAME};

LEVEL(portable, , plan_moves, gather_by_moves, mix_generic)

#ifdef X86
#define AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt")))
#define AVX512 __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt,avx512f,avx512dq,avx512bw,"       \
                                     "avx512vl,avx512vpopcntdq,prefer-vector-width=512")))

AVX2 static inline void mix_by_256(uint64_t *sums, const uint64_t *row, size_t count, uint64_t mark)
{
    const __m256i low = _mm256_set1_epi64x((long long)mark);
    const __m256i high = _mm256_set1_epi64x((long long)(mark >> 32));
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const __m256i both = _mm256_loadu_si256((const __m256i *)(row + i));
        const __m256i a = _mm256_add_epi64(both, low);
        const __m256i b = _mm256_add_epi64(_mm256_srli_epi64(both, 32), high);
        const __m256i sum = _mm256_loadu_si256((const __m256i *)(sums + i));
        _mm256_storeu_si256((__m256i *)(sums + i),
                            _mm256_add_epi64(sum, _mm256_mul_epu32(a, b)));
    }
    mix_generic(sums + i, row + i, count - i, mark);
}

/* Fast where there is AVX-512; some processors without it run pext in microcode. */
AVX2 static inline void gather_by_pext(const Plan *plan, const uint64_t *column, const uint64_t *mask,
                                       size_t words, uint64_t *gathered)
{
    (void)plan;
    for (size_t w = 0; w < words; w++)
        gathered[w] = _pext_u64(column[w], mask[w]);
}

#define NO_MOVES(PLAN, MASK, WORDS) (void)0

LEVEL(avx2, AVX2, plan_moves, gather_by_moves, mix_by_256)
LEVEL(avx512, AVX512, NO_MOVES, gather_by_pext, mix_by_256)
#endif

/* The levels that this processor can run, the best first, ended by NULL. */
static const Level *const *supported_levels(void)
{
    static const Level *found[4];
    size_t count = 0;
#ifdef X86
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")
        && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt")) {
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")
            && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")
            && __builtin_cpu_supports("avx512vpopcntdq"))
            found[count++] = &level_avx512;
        found[count++] = &level_avx2;
    }
#endif
    found[count++] = &level_portable;
    found[count] = NULL;
    return found;
}

/* ---- the search and its memory -------------------------------------------------------------- */

typedef struct Chunk {
    struct Chunk *below;
    size_t size, used;
    uint64_t words[];
} Chunk;

/* What is remembered of a version space, and of all that are isomorphic to it. */
typedef struct Entry {
    struct Entry *next; /* with a hash that ends alike */
    uint64_t hash;
    uint64_t length; /* of the key in bytes */
    Depth depth;     /* the expected depth is at most that, */
    uint32_t concepts, points;
    int16_t lower, upper; /* bounds on the Littlestone dimension */
    int16_t sought;       /* the depth for which columns are taken and refuted */
    uint8_t exact;        /* and whether it is that */
    uint8_t normal;       /* whether the key is a normal form: rows, not columns */
    uint64_t columns[];   /* which are taken, and which refuted, in the order of the key; then the key */
} Entry;

/* A version space that waits for its sides, on the stack of a thread. */
typedef struct Frame {
    const struct Frame *below;
    Entry *known;
    const Space *v;
    int k;
    size_t count;          /* of the columns to try; 0 if it is a product, whose factors are asked */
    const uint32_t *ones, *tried, *place; /* `place` is NULL if threads do not share the columns */
    const unsigned char *weaker;
} Frame;

typedef struct Team Team;

typedef struct Search {
    const Level *level;
    uint64_t normal_from, shared_from;
    Chunk *work;    /* scratch, taken and given back as on a stack */
    Chunk *spare;   /* a chunk of scratch that was given back, and will be wanted soon */
    Chunk *entries; /* remembered for good */
    const Frame *frames;
    /* Of threads that search together one leads, and the others use its memory and limits: */
    struct Search *lead; /* itself, if there is no other thread */
    Team *team;          /* NULL while there is one thread */
    int threads;         /* how many there may be, */
    uint64_t alone;      /* after so many microseconds of work, */
    uint64_t worked, began; /* which are these, before and since a question began; */
    int ready;              /* and whether they may begin */
    Entry **buckets;
    size_t bucket_count, entry_count;
    uint64_t used;       /* bytes of what is remembered */
    uint64_t held, most; /* bytes of all this, and how many are allowed */
    /* Each has its own: */
    uint64_t nodes;
    int nested; /* how many expected depths wait for those of their sides */
    uint64_t polls_left; /* after so many the search gives up */
    int64_t until_poll;
    int stopped;
    int (*poll)(void *);
    void *poll_argument;
} Search;

static int overtaken(const Search *s);
static int dismissed(Search *s);

/* Microseconds of processor time of this thread. */
static uint64_t thread_time(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* Notes work of so many words; whether the search has to stop. */
static int stops(Search *s, uint64_t words)
{
    s->until_poll -= (int64_t)words;
    if (s->until_poll <= 0 && !s->stopped) {
        s->until_poll = WORDS_BETWEEN_POLLS;
        if (s->threads > 1 && !s->ready)
            s->ready = s->worked + thread_time() - s->began >= s->alone;
        if (s->poll && s->poll(s->poll_argument))
            s->stopped = INTERRUPTED;
        else if (!s->polls_left--)
            s->stopped = GAVE_UP;
        else if (overtaken(s))
            s->stopped = OVERTAKEN;
    }
    return s->stopped;
}

/* Memory as far as the limit allows; without it, the search stops.  Other threads give back theirs first. */
static void *allocate(Search *s, size_t size)
{
    Search *lead = s->lead;
    int stopped;
    do {
        stopped = LIMIT_OF_MEMORY;
        if (size <= lead->most
            && __atomic_add_fetch(&lead->held, size, __ATOMIC_RELAXED) <= lead->most) {
            void *memory = KERNEL_MALLOC(size);
            if (memory)
                return memory;
            stopped = OUT_OF_MEMORY;
        }
        if (size <= lead->most)
            __atomic_sub_fetch(&lead->held, size, __ATOMIC_RELAXED);
    } while (dismissed(s));
    s->stopped = stopped;
    return NULL;
}

static void release(Search *s, void *memory, size_t size)
{
    free(memory);
    __atomic_sub_fetch(&s->lead->held, size, __ATOMIC_RELAXED);
}

static void *allocate_to_remember(Search *s, size_t size)
{
    void *memory = allocate(s, size);
    if (memory)
        __atomic_add_fetch(&s->lead->used, size, __ATOMIC_RELAXED);
    return memory;
}

#define CHUNK ((size_t)1 << 15) /* words */

/* Puts a chunk on top of a stack where the one there is too full. */
static int room(Search *s, Chunk **top, size_t words)
{
    const int scratch = top == &s->work;
    Chunk *fresh = NULL;
    size_t size = CHUNK;
    if (*top && (*top)->size - (*top)->used >= words)
        return 1;
    if (!*top || (*top)->size < CHUNK / 2)
        size = *top ? 2 * (*top)->size : CHUNK / 64; /* little work takes little */
    if (words > size)
        size = words;
    if (words > SIZE_MAX / 32) {
        s->stopped = OUT_OF_MEMORY;
        return 0;
    }
    if (scratch && size == CHUNK) {
        fresh = s->spare;
        s->spare = NULL;
    }
    const size_t bytes = sizeof(Chunk) + size * 8;
    if (!fresh && !(fresh = scratch ? allocate(s, bytes) : allocate_to_remember(s, bytes)))
        return 0;
    *fresh = (Chunk){*top, size, 0};
    *top = fresh;
    return 1;
}

static void *take_from(Search *s, Chunk **top, size_t bytes)
{
    const size_t words = bytes / 8 + (bytes % 8 != 0);
    if (!room(s, top, words))
        return NULL;
    void *taken = (*top)->words + (*top)->used;
    (*top)->used += words;
    return taken;
}

/* Scratch for `count` things of `size` bytes; NULL, and the search stopped, if there is none. */
static void *take(Search *s, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / 4 / size) {
        s->stopped = OUT_OF_MEMORY;
        return NULL;
    }
    return take_from(s, &s->work, count * size);
}

typedef struct {
    Chunk *chunk;
    size_t used;
} Mark;

static Mark mark(const Search *s)
{
    return (Mark){s->work, s->work ? s->work->used : 0};
}

static void give_back(Search *s, Mark to)
{
    while (s->work != to.chunk) {
        Chunk *given = s->work;
        s->work = given->below;
        if (!s->spare && given->size == CHUNK)
            s->spare = given;
        else
            release(s, given, sizeof(Chunk) + given->size * 8);
    }
    if (s->work)
        s->work->used = to.used;
}

static uint64_t scrambled(uint64_t value)
{
    value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93u;
    value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93u;
    return value ^ (value >> 32);
}

static uint64_t hashed(const unsigned char *bytes, size_t length, uint64_t seed)
{
    uint64_t lanes[4] = {seed, seed ^ 1, seed ^ 2, seed ^ 3};
    size_t i = 0;
    for (; i + 32 <= length; i += 32)
        for (size_t lane = 0; lane < 4; lane++) {
            uint64_t word;
            memcpy(&word, bytes + i + 8 * lane, 8);
            lanes[lane] = (lanes[lane] ^ word) * 0x9e3779b97f4a7c15u;
            lanes[lane] ^= lanes[lane] >> 29;
        }
    for (; i < length; i++)
        lanes[i & 3] = (lanes[i & 3] ^ bytes[i]) * 0x100000001b3u;
    return scrambled(lanes[0] ^ scrambled(lanes[1] ^ scrambled(lanes[2] ^ scrambled(lanes[3]))));
}

#define MOST_THREADS 1024
#define STRIPES 64 /* of the memory, each with its lock while several threads search */

/* Threads that search with the one that leads, from one of its frames on. */
struct Team {
    pthread_mutex_t locks[STRIPES];
    const Frame *root;
    size_t bytes;
    int over; /* they are to stop */
    int size;
    Search *helpers;
    pthread_t *threads;
};

static void lock(Search *s, uint64_t hash)
{
    if (s->lead->team)
        pthread_mutex_lock(s->lead->team->locks + hash % STRIPES);
}

static void unlock(Search *s, uint64_t hash)
{
    if (s->lead->team)
        pthread_mutex_unlock(s->lead->team->locks + hash % STRIPES);
}

static unsigned char *key_of(const Entry *e)
{
    return (unsigned char *)(e->columns + 2 * ((e->points + 63) / 64));
}

/* Makes twice as many buckets, unless another thread did; whether there is memory for them. */
static int grow(Search *s)
{
    Search *lead = s->lead;
    const size_t before = __atomic_load_n(&lead->bucket_count, __ATOMIC_RELAXED);
    const size_t count = before ? 2 * before : STRIPES;
    if (count > SIZE_MAX / 4 / sizeof(Entry *)) {
        s->stopped = OUT_OF_MEMORY;
        return 0;
    }
    Entry **buckets = allocate_to_remember(s, count * sizeof(Entry *)), **left = buckets;
    size_t left_count = count;
    if (!buckets)
        return 0;
    memset(buckets, 0, count * sizeof(Entry *));
    for (uint64_t stripe = 0; stripe < STRIPES; stripe++)
        lock(s, stripe);
    if (lead->bucket_count == before) {
        for (size_t i = 0; i < before; i++)
            for (Entry *e = lead->buckets[i], *next; e; e = next) {
                Entry **to = buckets + (e->hash & (count - 1));
                next = e->next;
                e->next = *to;
                *to = e;
            }
        left = lead->buckets;
        left_count = before;
        lead->buckets = buckets;
        __atomic_store_n(&lead->bucket_count, count, __ATOMIC_RELAXED);
    }
    for (uint64_t stripe = 0; stripe < STRIPES; stripe++)
        unlock(s, stripe);
    if (left) {
        release(s, left, left_count * sizeof(Entry *));
        __atomic_sub_fetch(&lead->used, left_count * sizeof(Entry *), __ATOMIC_RELAXED);
    }
    return 1;
}

/* The entry of a key.  If there is none, one that was made for it becomes that. */
static Entry *found_or_kept(Search *s, Entry *made, uint64_t hash, const Space *v, int normal,
                            const unsigned char *key, size_t length)
{
    Search *lead = s->lead;
    lock(s, hash);
    Entry **bucket = lead->buckets + (hash & (lead->bucket_count - 1)), *e = *bucket;
    while (e
           && !(e->hash == hash && e->concepts == v->concepts && e->points == v->points
                && e->normal == normal && e->length == length && !memcmp(key_of(e), key, length)))
        e = e->next;
    if (!e && made) {
        made->next = *bucket;
        *bucket = e = made;
        __atomic_add_fetch(&lead->entry_count, 1, __ATOMIC_RELAXED);
    }
    unlock(s, hash);
    return e;
}

/* The entry of a key, made if there is none; NULL if there is no memory for it. */
static Entry *entry_of(Search *s, const Space *v, int normal, const unsigned char *key, size_t length)
{
    const uint64_t seed = scrambled(v->concepts * 2 + (uint64_t)normal + (v->points << 40));
    const uint64_t hash = hashed(key, length, seed) & KERNEL_HASH_BITS;
    const size_t masks = 2 * ((v->points + 63) / 64) * 8;
    if (__atomic_load_n(&s->lead->entry_count, __ATOMIC_RELAXED)
            >= __atomic_load_n(&s->lead->bucket_count, __ATOMIC_RELAXED)
        && !grow(s))
        return NULL;
    Entry *found = found_or_kept(s, NULL, hash, v, normal, key, length);
    if (found)
        return found;
    Entry *made = take_from(s, &s->entries, sizeof(Entry) + masks + length);
    if (!made)
        return NULL;
    *made = (Entry){.hash = hash, .length = length, .depth = NO_BOUND, .concepts = (uint32_t)v->concepts,
                    .points = (uint32_t)v->points, .upper = 64, .normal = (uint8_t)normal};
    memset(made->columns, 0, masks);
    memcpy(key_of(made), key, length);
    /* If another thread made one at the same time, this one is memory lost. */
    return found_or_kept(s, made, hash, v, normal, key, length);
}

/* ---- sorting -------------------------------------------------------------------------------- */

/* Sorts by Shell's method with Knuth's gaps; there are at most some thousand numbers. */
static void sort(uint64_t *keys, uint32_t *values, size_t count)
{
    size_t gap = 1;
    while (gap < count / 3)
        gap = 3 * gap + 1;
    for (; gap; gap /= 3)
        for (size_t a = gap; a < count; a++) {
            const uint64_t key = keys[a];
            const uint32_t value = values[a];
            size_t b = a;
            for (; b >= gap && keys[b - gap] > key; b -= gap) {
                keys[b] = keys[b - gap];
                values[b] = values[b - gap];
            }
            keys[b] = key;
            values[b] = value;
        }
}

/* Sorts rows of `words` words by their low `bits` bits, a digit at a time; NULL if stopped. */
INLINE uint64_t *sorted_by(Search *s, uint64_t *rows, size_t count, size_t words, size_t bits,
                           unsigned digit)
{
    uint64_t *other = take(s, count * words, 8);
    uint32_t *place = take(s, (size_t)1 << digit, sizeof(uint32_t));
    const uint64_t mask = ((uint64_t)1 << digit) - 1;
    if (!other || !place)
        return NULL;
    for (size_t word = 0; word < words; word++)
        for (size_t shift = 0; shift < 64 && 64 * word + shift < bits; shift += digit) {
            uint32_t sum = 0;
            memset(place, 0, sizeof(uint32_t) << digit);
            for (size_t i = 0; i < count; i++)
                place[rows[i * words + word] >> shift & mask]++;
            for (size_t value = 0; value <= mask; value++) {
                const uint32_t here = place[value];
                place[value] = sum;
                sum += here;
            }
            for (size_t i = 0; i < count; i++) {
                const size_t to = place[rows[i * words + word] >> shift & mask]++;
                for (size_t w = 0; w < words; w++)
                    other[to * words + w] = rows[i * words + w];
            }
            uint64_t *swapped = rows;
            rows = other;
            other = swapped;
            if (stops(s, 4 * count * words))
                return NULL;
        }
    return rows;
}

/* Rows of one or two words, sorted by their low `bits` bits; NULL if stopped. */
static uint64_t *sorted_rows(Search *s, uint64_t *rows, size_t count, size_t words, size_t bits)
{
    /* Few rows do not pay for many places. */
    if (words == 1)
        return count < 4000 ? sorted_by(s, rows, count, 1, bits, 8)
                            : sorted_by(s, rows, count, 1, bits, 11);
    return sorted_by(s, rows, count, 2, bits, 8);
}

/* ---- restrictions --------------------------------------------------------------------------- */

static uint64_t column_hash(const uint64_t *column, size_t width)
{
    /* Some words of a long column are enough to look for an equal one. */
    const size_t step = width > 64 ? width / 64 : 1;
    uint64_t hash = width;
    for (size_t w = 0; w < width; w += step)
        hash = (hash ^ column[w] ^ (hash >> 31)) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 32);
}

/* Complements columns that label the first concept 1, and keeps each that is not constant once; which
 * they are, and whether they are complemented, is written down where there is room for it. */
static int compact(Search *s, Space *v, uint64_t *columns, uint32_t *names, unsigned char *flips)
{
    const uint64_t last = v->concepts % 64 ? ((uint64_t)1 << v->concepts % 64) - 1 : ~(uint64_t)0;
    const size_t width = v->width;
    size_t slots = 4, kept = 0;
    while (slots < 2 * v->points)
        slots *= 2;
    uint32_t *table = take(s, slots, sizeof(uint32_t));
    if (!table)
        return 0;
    memset(table, 0, slots * sizeof(uint32_t));
    for (size_t j = 0; j < v->points; j++) {
        const uint64_t *from = columns + j * width;
        uint64_t *to = columns + kept * width;
        const uint64_t flip = from[0] & 1 ? ~(uint64_t)0 : 0;
        uint64_t any = 0;
        if (stops(s, width))
            return 0;
        for (size_t w = 0; w < width; w++) {
            to[w] = from[w] ^ flip;
            if (w + 1 == width)
                to[w] &= last;
            any |= to[w];
        }
        if (!any)
            continue;
        size_t at = column_hash(to, width) & (slots - 1);
        while (table[at] && memcmp(columns + (table[at] - 1) * width, to, width * 8))
            at = (at + 1) & (slots - 1);
        if (table[at])
            continue;
        if (names) {
            names[kept] = (uint32_t)j;
            flips[kept] = flip & 1;
        }
        table[at] = (uint32_t)++kept;
    }
    v->points = kept;
    return 1;
}

/* The concepts that give column x a label, `concepts` in number. */
static int restricted(Search *s, const Space *v, size_t x, int side, uint64_t concepts, int compacted,
                      Space *result)
{
    const size_t width = (size_t)((concepts + 63) / 64);
    const uint64_t *column = v->columns + x * v->width, *mask = column;
    uint64_t *columns = take(s, v->points * width, 8);
    uint32_t *chosen = take(s, v->points, sizeof(uint32_t));
    if (!columns || !chosen)
        return 0;
    if (!side) {
        uint64_t *others = take(s, v->width, 8);
        if (!others)
            return 0;
        for (size_t w = 0; w < v->width; w++)
            others[w] = ~column[w];
        if (v->concepts % 64)
            others[v->width - 1] &= ((uint64_t)1 << v->concepts % 64) - 1;
        mask = others;
    }
    size_t points = 0;
    for (size_t j = 0; j < v->points; j++)
        if (j != x)
            chosen[points++] = (uint32_t)j;
    if (stops(s, 2 * points * v->width))
        return 0;
    s->level->compress(v->columns, v->width, chosen, points, mask, width, columns);
    *result = (Space){concepts, points, width, columns};
    return compacted ? compact(s, result, columns, NULL, NULL) : 1;
}

/* ---- keys ----------------------------------------------------------------------------------- */

/* The set of columns, in the order of their hashes; which place each has, where there is room for it. */
static Entry *entry_of_columns(Search *s, const Space *v, uint32_t *place)
{
    const Mark before = mark(s);
    const size_t bytes = (size_t)((v->concepts + 7) / 8);
    uint64_t *hashes = take(s, v->points, 8);
    uint32_t *order = take(s, v->points, sizeof(uint32_t));
    unsigned char *key = take(s, v->points, bytes);
    Entry *found = NULL;
    if (hashes && order && key) {
        for (size_t j = 0; j < v->points; j++) {
            hashes[j] = column_hash(v->columns + j * v->width, v->width);
            order[j] = (uint32_t)j;
        }
        sort(hashes, order, v->points);
        for (size_t j = 0; j < v->points; j++) {
            memcpy(key + j * bytes, v->columns + order[j] * v->width, bytes);
            if (place)
                place[order[j]] = (uint32_t)j;
        }
        found = entry_of(s, v, 0, key, v->points * bytes);
    }
    give_back(s, before);
    return found;
}

/* Literals (columns, then their complements), partitioned into classes that counting tells apart. */
typedef struct {
    size_t count;
    const uint64_t *shared; /* scrambled counts of common concepts, for each pair of literals */
    uint32_t *order;        /* the literals, class after class */
    uint32_t *start;        /* of each literal the place where its class begins */
    uint64_t *sums;
} Colours;

/* Splits classes by what their members share with the members of `changed`, until nothing changes. */
static void refine(const Search *s, Colours *c, uint32_t *changed, size_t changes, uint64_t *keys,
                   uint32_t *values)
{
    while (changes) {
        memset(c->sums, 0, c->count * 8);
        for (size_t i = 0; i < changes; i++)
            s->level->mix(c->sums, c->shared + changed[i] * c->count, c->count,
                          scrambled(c->start[changed[i]] + 1));
        changes = 0;
        for (size_t first = 0, next; first < c->count; first = next) {
            const uint32_t class = c->start[c->order[first]];
            for (next = first + 1; next < c->count && c->start[c->order[next]] == class; next++)
                ;
            if (next - first == 1)
                continue;
            int differ = 0;
            for (size_t i = first; i < next; i++) {
                keys[i - first] = c->sums[c->order[i]];
                values[i - first] = c->order[i];
                differ |= keys[i - first] != keys[0];
            }
            if (!differ)
                continue;
            sort(keys, values, next - first);
            uint32_t begins = class;
            for (size_t i = first; i < next; i++) {
                if (i > first && keys[i - first] != keys[i - first - 1])
                    begins = (uint32_t)i;
                c->order[i] = values[i - first];
                c->start[c->order[i]] = begins;
                changed[changes++] = c->order[i];
            }
        }
    }
}

/* Orders and complements the n columns of m concepts, by counts alone, so that isomorphic version spaces
 * mostly come out equal.  `canonical_order` in version_space.py gives the same order. */
static int canonical_order(Search *s, size_t n, uint32_t m, const uint32_t *ones, const uint32_t *both,
                           uint32_t *order, uint64_t *flips)
{
    const size_t count = 2 * n;
    uint64_t *shared = take(s, count * count, 8);
    uint64_t *keys = take(s, count, 8), *sums = take(s, count, 8);
    uint32_t *numbers = take(s, 4 * count, sizeof(uint32_t));
    if (!shared || !keys || !sums || !numbers || stops(s, 4 * count * count))
        return 0;
    uint32_t *values = numbers, *changed = numbers + count;
    Colours c = {count, shared, numbers + 2 * count, numbers + 3 * count, sums};
    for (size_t x = 0; x < n; x++) {
        uint64_t *plain = shared + x * count, *complement = shared + (n + x) * count;
        for (size_t y = 0; y < n; y++) {
            const uint32_t b = both[x * n + y], a1 = ones[x], b1 = ones[y];
            const uint32_t values4[4] = {b, a1 - b, b1 - b, m - a1 - b1 + b};
            uint64_t mixed[4];
            for (int i = 0; i < 4; i++) {
                const uint32_t a = values4[i] * 0x9e3779b1u;
                mixed[i] = (uint64_t)(a ^ a >> 15) << 32 | (uint32_t)((a ^ a >> 13) * 0x85ebca77u);
            }
            plain[y] = mixed[0];
            plain[n + y] = mixed[1];
            complement[y] = mixed[2];
            complement[n + y] = mixed[3];
        }
        keys[x] = ones[x];
        keys[n + x] = m - ones[x];
    }
    for (size_t l = 0; l < count; l++)
        c.order[l] = (uint32_t)l;
    sort(keys, c.order, count);
    for (size_t i = 0; i < count; i++) {
        c.start[c.order[i]] = i && keys[i] == keys[i - 1] ? c.start[c.order[i - 1]] : (uint32_t)i;
        changed[i] = c.order[i];
    }
    refine(s, &c, changed, count, keys, values);
    for (int tries = 0; tries < INDIVIDUALISATIONS; tries++) {
        size_t smallest = count + 1, at = 0;
        for (size_t first = 0, next; first < count; first = next) {
            for (next = first + 1; next < count && c.start[c.order[next]] == first; next++)
                ;
            if (next - first > 1 && next - first < smallest) {
                smallest = next - first;
                at = first;
            }
        }
        if (smallest > count)
            break;
        changed[0] = c.order[at];
        for (size_t i = at + 1; i < at + smallest; i++) {
            const uint32_t literal = c.order[i];
            if (literal < changed[0]) {
                c.order[i] = changed[0];
                c.order[at] = changed[0] = literal;
            }
            c.start[c.order[i]] = (uint32_t)at + 1;
        }
        refine(s, &c, changed, 1, keys, values);
        if (stops(s, count * count / 4))
            return 0;
    }
    for (size_t x = 0; x < n; x++) {
        const uint32_t plain = c.start[x], complement = c.start[n + x];
        keys[x] = (uint64_t)(plain < complement ? plain : complement) << 32 | x;
        order[x] = (uint32_t)x;
        flips[x] = complement < plain ? ~(uint64_t)0 : 0;
    }
    sort(keys, order, n);
    return 1;
}

/* Sorted rows in few bytes, different ones for different rows: how far each is from the one before,
 * without leading bytes of 0, after the numbers of bytes, two to a byte. Rows of two words as they are. */
static unsigned char *packed_rows(Search *s, const uint64_t *rows, size_t count, size_t points,
                                  size_t *length)
{
    if (points > 64) {
        const size_t bytes = (points + 7) / 8;
        unsigned char *key = take(s, count, bytes);
        *length = count * bytes;
        for (size_t i = 0; key && i < count; i++)
            memcpy(key + i * bytes, rows + 2 * i, bytes);
        return key;
    }
    const size_t sizes = (count + 1) / 2;
    unsigned char *key = take(s, sizes + 8 * (count + 1), 1);
    if (!key)
        return NULL;
    memset(key, 0, sizes);
    uint64_t before = 0;
    size_t at = sizes;
    for (size_t i = 0; i < count; i++) {
        const uint64_t step = rows[i] - before;
        const unsigned bytes = step ? 8 - (unsigned)__builtin_clzll(step) / 8 : 0;
        before = rows[i];
        key[i / 2] |= (unsigned char)(bytes << 4 * (i % 2));
        memcpy(key + at, &step, 8);
        at += bytes;
    }
    *length = at;
    return key;
}

/* A line of words, from `w` on, of up to 64 columns as rows: the columns from 64 * part on in the given
 * order, of which some are complemented.  A whole line is read of each column at once, since columns that
 * are far apart in memory drive each other out of the cache. */
static void transposed(const Search *s, const Space *v, const uint32_t *order, const uint64_t *flips,
                       size_t w, size_t part, uint64_t *rows)
{
    const size_t words = (v->points + 63) / 64, line = v->width - w < LINE ? v->width - w : LINE;
    const size_t first = 64 * part, last = v->points < first + 64 ? v->points : first + 64;
    /* Up to 32 columns, two words of each fit into a block. */
    const size_t together = v->points <= 32 ? 2 : 1, blocks = (line + together - 1) / together;
    uint64_t block[LINE][64];
    memset(block, 0, blocks * sizeof(block[0]));
    for (size_t j = first; j < last; j++) {
        const uint64_t *column = v->columns + order[j] * v->width + w, flip = flips[order[j]];
        for (size_t i = 0; i < line; i++)
            block[i / together][i % together * 32 + (j - first)] = column[i] ^ flip;
    }
    for (size_t b = 0; b < blocks; b++) {
        s->level->transpose(block[b]);
        for (size_t i = 0; i < 64; i++)
            rows[(64 * b * together + i) * words] = together == 2 ? (uint32_t)block[b][i] : block[b][i];
        if (2 * b + 1 < line && together == 2)
            for (size_t i = 0; i < 64; i++)
                rows[64 * (2 * b + 1) + i] = block[b][i] >> 32;
    }
}

/* The rows, sorted, of up to 64 * words columns in some order, complemented as flips say; NULL if stopped. */
static uint64_t *arranged_rows(Search *s, const Space *v, const uint32_t *order, const uint64_t *flips)
{
    const size_t n = v->points, words = (n + 63) / 64, m = (size_t)v->concepts;
    uint64_t *rows = take(s, (m + 63) / 64 * 64 * words, 8);
    if (!rows)
        return NULL;
    for (size_t w = 0; w < v->width; w += LINE) {
        if (stops(s, 2 * n * LINE))
            return NULL;
        for (size_t part = 0; part < words; part++)
            transposed(s, v, order, flips, w, part, rows + 64 * w * words + part);
    }
    return sorted_rows(s, rows, m, words, n);
}

/* The set of rows, once columns are in canonical order; which place each has, where there is room for it. */
static Entry *entry_of_rows(Search *s, const Space *v, const uint32_t *ones, const uint32_t *both,
                            uint32_t *place)
{
    const Mark before = mark(s);
    const size_t n = v->points, m = (size_t)v->concepts;
    uint32_t order[NORMAL_UP_TO_POINTS];
    uint64_t flips[NORMAL_UP_TO_POINTS], *rows;
    size_t length;
    unsigned char *key;
    Entry *found = NULL;
    if (!canonical_order(s, n, (uint32_t)m, ones, both, order, flips))
        goto done;
    give_back(s, before);
    for (size_t j = 0; place && j < n; j++)
        place[order[j]] = (uint32_t)j;
    if ((rows = arranged_rows(s, v, order, flips)) && (key = packed_rows(s, rows, m, n, &length)))
        found = entry_of(s, v, 1, key, length);
done:
    give_back(s, before);
    return found;
}

/* ---- products ------------------------------------------------------------------------------- */

static int at_least(Search *s, const Space *v, int k);

/* Concepts with their weights, products of those of the columns that they label 1. */
typedef struct {
    uint64_t *concepts; /* modulo a prime */
    uint64_t *ones;     /* of each column the weight of the concepts that label it 1 */
    uint64_t all;
} Weights;

/* The weight of the concepts that label both columns 1. */
static uint64_t weight_of_both(const Space *v, const Weights *weights, size_t x, size_t y)
{
    const uint64_t *a = v->columns + x * v->width, *b = v->columns + y * v->width;
    uint64_t sum = 0;
    for (size_t w = 0; w < v->width; w++)
        for (uint64_t bits = a[w] & b[w]; bits; bits &= bits - 1)
            sum += weights->concepts[64 * w + (size_t)__builtin_ctzll(bits)];
    return sum % KERNEL_PRIME;
}

/* Random weights; whether there is memory for them. */
static int draw_weights(Search *s, const Space *v, Weights *weights)
{
    weights->concepts = take(s, v->concepts, 8);
    weights->ones = take(s, v->points, 8);
    weights->all = 0;
    if (!weights->concepts || !weights->ones)
        return 0;
    for (size_t i = 0; i < v->concepts; i++)
        weights->concepts[i] = 1;
    for (size_t j = 0; j < v->points; j++) {
        const uint64_t *column = v->columns + j * v->width, weight = 1 + scrambled(j + 1) % (KERNEL_PRIME - 1);
        for (size_t w = 0; w < v->width; w++)
            for (uint64_t bits = column[w]; bits; bits &= bits - 1) {
                uint64_t *at = weights->concepts + 64 * w + (size_t)__builtin_ctzll(bits);
                *at = *at * weight % KERNEL_PRIME;
            }
        if (stops(s, v->concepts))
            return 0;
    }
    for (size_t i = 0; i < v->concepts; i++)
        weights->all += weights->concepts[i];
    weights->all %= KERNEL_PRIME;
    for (size_t j = 0; j < v->points; j++) {
        weights->ones[j] = weight_of_both(v, weights, j, j);
        if (stops(s, v->concepts))
            return 0;
    }
    return 1;
}

/* Orders columns by groups that seem to be independent of each other: two columns do if those that
 * share them are as many as the share of each predicts, in weight if there are weights, else in
 * number (`both` has the numbers of all pairs, or is NULL).  How many groups; 0 if stopped. */
static size_t independent_groups(Search *s, const Space *v, const uint32_t *ones,
                                 const uint32_t *both, const Weights *weights, uint32_t *order,
                                 size_t *sizes)
{
    const size_t n = v->points;
    size_t groups = 0, reached = 0;
    uint32_t *shared = both || weights ? NULL : take(s, n, sizeof(uint32_t));
    if (!both && !weights && !shared)
        return 0;
    for (size_t j = 0; j < n; j++)
        order[j] = (uint32_t)j;
    for (size_t at = 0; at < n; at++) {
        const size_t x = order[at];
        const uint32_t *row = both ? both + x * n : shared;
        if (at == reached) {
            sizes[groups++] = 0;
            reached++;
        }
        sizes[groups - 1]++;
        if (reached == n)
            continue;
        if (stops(s, shared ? n * v->width : n))
            return 0;
        if (shared)
            s->level->row(v->columns, n, v->width, x, shared);
        for (size_t i = reached; i < n; i++) {
            const uint32_t y = order[i];
            if (weights && stops(s, v->concepts))
                return 0;
            const int depends =
                weights ? weight_of_both(v, weights, x, y) * weights->all % KERNEL_PRIME
                              != weights->ones[x] * weights->ones[y] % KERNEL_PRIME
                        : row[y] * v->concepts != (uint64_t)ones[x] * ones[y];
            if (depends) {
                order[i] = order[reached];
                order[reached++] = y;
            }
        }
    }
    return groups;
}

/* What the concepts give to a group of columns: one concept for each labelling.  0 if stopped. */
static int projected(Search *s, const Space *v, const uint32_t *group, size_t size, Space *result)
{
    const size_t m = (size_t)v->concepts;
    uint64_t *mask = take(s, v->width, 8), *columns = take(s, size * v->width, 8);
    if (!mask || !columns)
        return 0;
    const Mark before = mark(s);
    uint32_t *kind = take(s, m, sizeof(uint32_t)), *next = take(s, 2 * m, sizeof(uint32_t));
    uint32_t kinds = 1;
    if (!kind || !next)
        return 0;
    memset(kind, 0, m * sizeof(uint32_t));
    for (size_t j = 0; j < size; j++) {
        const uint64_t *column = v->columns + group[j] * v->width;
        uint32_t fresh = 0;
        if (stops(s, 2 * m))
            return 0;
        memset(next, 0, 2 * (size_t)kinds * sizeof(uint32_t));
        for (size_t i = 0; i < m; i++) {
            uint32_t *named = next + 2 * (size_t)kind[i] + (column[i / 64] >> i % 64 & 1);
            if (!*named)
                *named = ++fresh;
            kind[i] = *named - 1;
        }
        kinds = fresh;
    }
    /* Kinds are numbered in the order of their first concepts. */
    memset(mask, 0, v->width * 8);
    for (size_t i = 0, seen = 0; i < m; i++)
        if (kind[i] == seen) {
            mask[i / 64] |= (uint64_t)1 << i % 64;
            seen++;
        }
    give_back(s, before);
    *result = (Space){kinds, size, (kinds + 63) / 64, columns};
    if (stops(s, 2 * size * v->width))
        return 0;
    s->level->compress(v->columns, v->width, group, size, mask, result->width, columns);
    return 1;
}

/* The factors of a version space, their number in `count`: 0 if it is no product.  NULL if stopped.
 * docs/search.md tells why numbers, and random weights except by chance, find the groups of a product;
 * that their labellings can be chosen in as many ways as there are concepts makes it one. */
static Space *factors(Search *s, const Space *v, const uint32_t *ones, const uint32_t *both,
                      size_t *count)
{
    uint32_t *order = take(s, v->points, sizeof(uint32_t));
    size_t *sizes = take(s, v->points, sizeof(size_t));
    Space *found = take(s, v->points, sizeof(Space));
    if (!order || !sizes || !found)
        return NULL;
    const Mark before = mark(s);
    for (int weighed = 0; weighed < 2; weighed++) {
        Weights weights;
        if (weighed && !draw_weights(s, v, &weights))
            return NULL;
        *count = independent_groups(s, v, ones, both, weighed ? &weights : NULL, order, sizes);
        if (!*count)
            return NULL;
        if (*count == 1)
            break;
        uint64_t ways = 1;
        for (size_t i = 0, at = 0; i < *count && ways <= v->concepts; at += sizes[i++]) {
            if (!projected(s, v, order + at, sizes[i], found + i))
                return NULL;
            ways *= found[i].concepts;
        }
        if (ways == v->concepts)
            return found;
        give_back(s, before);
    }
    *count = 0;
    return found;
}

/* Whether the dimensions of factors add up to k. */
static int sum_at_least(Search *s, const Space *found, size_t count, int k)
{
    /* Each factor has a dimension of at least 1, as it has a column that is not constant. */
    int64_t needed = k - (int64_t)count;
    for (size_t i = 0; i < count; i++) {
        int lower = 1, upper = 63 - __builtin_clzll(found[i].concepts);
        if (upper > needed + 1)
            upper = (int)needed + 1;
        while (lower < upper) {
            const int middle = (lower + upper + 1) / 2;
            const int answer = at_least(s, found + i, middle);
            if (answer == STOPPED)
                return STOPPED;
            if (answer)
                lower = middle;
            else
                upper = middle - 1;
        }
        needed -= lower - 1;
    }
    return needed <= 0;
}

/* ---- threads -------------------------------------------------------------------------------- */

enum { UNKNOWN = 2 };

/* What is known about depth k. */
static int recalled(const Entry *e, int k)
{
    return k <= __atomic_load_n(&e->lower, __ATOMIC_RELAXED)  ? YES
           : k > __atomic_load_n(&e->upper, __ATOMIC_RELAXED) ? NO
                                                              : UNKNOWN;
}

static void remember(Search *s, Entry *e, int k, int answer)
{
    lock(s, e->hash);
    if (answer == YES && k > e->lower)
        __atomic_store_n(&e->lower, (int16_t)k, __ATOMIC_RELAXED);
    if (answer == NO && k <= e->upper)
        __atomic_store_n(&e->upper, (int16_t)(k - 1), __ATOMIC_RELAXED);
    unlock(s, e->hash);
}

/* Whether another thread has answered what this one is busy with, or no answer is wanted any more. */
static int overtaken(const Search *s)
{
    if (!s->lead->team)
        return 0;
    if (__atomic_load_n(&s->lead->team->over, __ATOMIC_RELAXED))
        return 1;
    for (const Frame *f = s->frames; f; f = f->below)
        if (recalled(f->known, f->k) != UNKNOWN)
            return 1;
    return 0;
}

enum { FREE, TAKEN, REFUTED };

/* Takes a column for this thread, if it is free. */
static int claim(Search *s, const Frame *f, size_t i)
{
    Entry *e = f->known;
    const size_t words = (e->points + 63) / 64, place = f->place[f->tried[i]];
    const uint64_t bit = (uint64_t)1 << place % 64;
    uint64_t *taken = e->columns, *refuted = e->columns + words;
    int answer = FREE;
    lock(s, e->hash);
    if (e->sought != f->k) {
        uint64_t any = 0;
        for (size_t w = 0; w < words; w++)
            any |= taken[w];
        if (!any) { /* else others seek another depth */
            if (f->k < e->sought)
                memset(refuted, 0, words * 8);
            e->sought = (int16_t)f->k;
        }
    }
    if (refuted[place / 64] & bit && f->k >= e->sought)
        answer = REFUTED;
    else if (taken[place / 64] & bit)
        answer = TAKEN;
    else if (e->sought == f->k)
        taken[place / 64] |= bit;
    unlock(s, e->hash);
    return answer;
}

/* Lets go of a column, with what was found. */
static void settle_claim(Search *s, const Frame *f, size_t i, int answer)
{
    Entry *e = f->known;
    const size_t words = (e->points + 63) / 64, place = f->place[f->tried[i]];
    const uint64_t bit = (uint64_t)1 << place % 64;
    lock(s, e->hash);
    if (e->sought == f->k) {
        e->columns[place / 64] &= ~bit;
        if (answer == NO)
            e->columns[words + place / 64] |= bit;
    }
    unlock(s, e->hash);
}

static int some_shatters(Search *s, const Frame *f);

/* What a helper does: it begins where the one that leads did. */
static void *help(void *argument)
{
    Search *s = argument;
    Frame f = *s->lead->team->root;
    f.below = NULL;
    s->frames = &f;
    const int answer = some_shatters(s, &f);
    if (answer != STOPPED)
        remember(s, f.known, f.k, answer);
    give_back(s, (Mark){NULL, 0});
    if (s->spare)
        release(s, s->spare, sizeof(Chunk) + s->spare->size * 8);
    return NULL;
}

/* Starts helpers, if there is memory for them; without, the search goes on alone. */
static void summon(Search *s)
{
    const Frame *root = s->frames;
    for (const Frame *f = root; f; f = f->below)
        root = f->count ? f : root;
    const size_t most = s->threads < MOST_THREADS ? (size_t)s->threads - 1 : MOST_THREADS - 1;
    const size_t bytes = sizeof(Team) + most * (sizeof(Search) + sizeof(pthread_t));
    Team *team = root->count ? allocate(s, bytes) : NULL;
    if (!team) {
        s->stopped = RUNNING;
        return;
    }
    *team = (Team){.root = root, .bytes = bytes, .helpers = (Search *)(team + 1)};
    team->threads = (pthread_t *)(team->helpers + most);
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_init(team->locks + i, NULL);
    s->team = team;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are for other threads */
    for (size_t i = 0; i < most; i++) {
        Search *h = team->helpers + team->size;
        *h = (Search){.level = s->level, .normal_from = s->normal_from, .shared_from = s->shared_from,
                      .lead = s, .threads = s->threads, .polls_left = UINT64_MAX,
                      .until_poll = WORDS_BETWEEN_POLLS};
        if (!pthread_create(team->threads + team->size, NULL, help, h))
            team->size++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Ends the helpers, and keeps what they remembered. */
static void dismiss(Search *s)
{
    Team *team = s->team;
    __atomic_store_n(&team->over, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < team->size; i++) {
        Search *h = team->helpers + i;
        pthread_join(team->threads[i], NULL);
        s->nodes += h->nodes;
        Chunk **end = &s->entries;
        while (*end)
            end = &(*end)->below;
        *end = h->entries;
    }
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_destroy(team->locks + i);
    s->team = NULL;
    release(s, team, team->bytes);
}

/* Whether there were helpers to end, whose memory this thread needs; there are none after that. */
static int dismissed(Search *s)
{
    if (!s->team)
        return 0;
    dismiss(s);
    s->threads = 1;
    return 1;
}

/* ---- the decision --------------------------------------------------------------------------- */

/* Whether column x leaves, on both sides, a column that splits them into parts of `least`, given how
 * many concepts each column shares with x; and which side looks weaker. */
static int promising(const uint32_t *both, const uint32_t *ones, size_t points, size_t x, uint32_t m,
                     uint32_t least, int *weaker)
{
    const uint32_t here = ones[x], rest = m - here;
    uint64_t strength0 = 0, strength1 = 0;
    for (size_t y = 0; y < points; y++) {
        const uint32_t in1 = both[y], in0 = ones[y] - in1;
        const uint32_t part1 = in1 < here - in1 ? in1 : here - in1;
        const uint32_t part0 = in0 < rest - in0 ? in0 : rest - in0;
        strength1 += part1 >= least ? part1 : 0;
        strength0 += part0 >= least ? part0 : 0;
    }
    *weaker = strength1 <= strength0;
    return strength0 && strength1;
}

/* Whether some column is promising. With `least` = 2 that decides depth 3, and needs no compaction. */
static int some_promising(Search *s, const Space *v, uint32_t least)
{
    const uint32_t m = (uint32_t)v->concepts;
    uint32_t *ones = take(s, 2 * v->points, sizeof(uint32_t));
    if (!ones)
        return STOPPED;
    uint32_t *both = ones + v->points;
    int ignored;
    s->level->count(v->columns, v->points, v->width, ones);
    for (size_t x = 0; x < v->points; x++) {
        if (ones[x] < 2 * least || m - ones[x] < 2 * least)
            continue;
        if (stops(s, v->points * v->width))
            return STOPPED;
        s->level->row(v->columns, v->points, v->width, x, both);
        if (promising(both, ones, v->points, x, m, least, &ignored))
            return YES;
    }
    return NO;
}

/* Whether the side of a column shatters depth k. */
static int side_shatters(Search *s, const Space *v, size_t x, int side, uint64_t concepts, int k)
{
    const Mark before = mark(s);
    Space part;
    int answer = STOPPED;
    if (restricted(s, v, x, side, concepts, k != 3, &part))
        answer = k == 3 ? some_promising(s, &part, 2) : at_least(s, &part, k);
    give_back(s, before);
    return answer;
}

/* Counts of all pairs, the diagonal included. */
static uint32_t *all_pairs(Search *s, const Space *v)
{
    const size_t n = v->points;
    uint32_t *both = take(s, n * n, sizeof(uint32_t));
    if (!both)
        return NULL;
    memset(both, 0, n * n * sizeof(uint32_t));
    for (size_t from = 0; from < v->width; from += BLOCK) {
        const size_t words = v->width - from < BLOCK ? v->width - from : BLOCK;
        if (stops(s, n * n / 2 * words))
            return NULL;
        s->level->pairs(v->columns + from, n, v->width, words, both);
    }
    for (size_t x = 0; x < n; x++)
        for (size_t y = 0; y < x; y++)
            both[y * n + x] = both[x * n + y];
    return both;
}

/* Whether both sides of a column shatter depth k - 1; the one that looks weaker is asked first. */
static int column_shatters(Search *s, const Frame *f, size_t i)
{
    const uint32_t x = f->tried[i];
    int answer = YES;
    for (int turn = 0; turn < 2 && answer == YES; turn++) {
        const int side = f->weaker[i] ^ turn;
        answer = side_shatters(s, f->v, x, side, side ? f->ones[x] : f->v->concepts - f->ones[x],
                               f->k - 1);
    }
    return answer;
}

/* Whether some column has two sides that shatter depth k - 1.  Columns that other threads have taken are
 * tried last, together with them: both then share the columns one level below. */
static int some_shatters(Search *s, const Frame *f)
{
    int passed = f->count > 0;
    for (int together = 0; passed && together < 2; together++) {
        passed = 0;
        for (size_t i = 0; i < f->count; i++) {
            const int held = f->place ? claim(s, f, i) : FREE;
            if (held == REFUTED)
                continue;
            if (held == TAKEN && !together) {
                passed = 1;
                continue;
            }
            int answer = column_shatters(s, f, i);
            if (f->place)
                settle_claim(s, f, i, answer);
            if (answer == NO && s->lead->team && recalled(f->known, f->k) != UNKNOWN)
                answer = recalled(f->known, f->k);
            else if (answer == NO)
                continue;
            return answer;
        }
    }
    return NO;
}

/* The columns both of whose sides keep 2^(k-1) concepts, the most balanced first, and their number, given
 * room for as many keys as there are columns. */
static size_t by_balance(const Space *v, const uint32_t *ones, int k, uint64_t *keys, uint32_t *tried)
{
    const uint32_t m = (uint32_t)v->concepts;
    size_t count = 0;
    for (size_t x = 0; x < v->points; x++) {
        const uint32_t smaller = ones[x] < m - ones[x] ? ones[x] : m - ones[x];
        if (smaller >> (k - 1)) {
            keys[count] = (uint64_t)(~smaller) << 32 | x;
            tried[count++] = (uint32_t)x;
        }
    }
    sort(keys, tried, count);
    return count;
}

static int decide(Search *s, const Space *v, int k)
{
    const size_t n = v->points;
    const uint32_t m = (uint32_t)v->concepts;
    const int small = m < s->normal_from || n > NORMAL_UP_TO_POINTS;
    uint32_t *place = NULL;
    Entry *known = NULL;
    s->nodes++;
    if (stops(s, 16 + n))
        return STOPPED;
    if (overtaken(s)) {
        s->stopped = OVERTAKEN;
        return STOPPED;
    }
    if (s->threads > 1 && m >= s->shared_from && !(place = take(s, n, sizeof(uint32_t))))
        return STOPPED;
    if (small && k > 3) {
        if (!(known = entry_of_columns(s, v, place)))
            return STOPPED;
        if (recalled(known, k) != UNKNOWN)
            return recalled(known, k);
    }
    uint32_t *ones = take(s, n, sizeof(uint32_t)), *tried = take(s, n, sizeof(uint32_t));
    uint64_t *balance = take(s, n, 8);
    if (!ones || !tried || !balance || stops(s, n * v->width))
        return STOPPED;
    s->level->count(v->columns, n, v->width, ones);
    const size_t count = by_balance(v, ones, k, balance, tried);
    if (k <= 2 || !count) {
        if (known && !count)
            remember(s, known, k, NO);
        return count > 0;
    }
    uint32_t *both = NULL, *row;
    if (small || k == 3)
        row = take(s, n, sizeof(uint32_t));
    else
        row = both = all_pairs(s, v);
    unsigned char *weaker = take(s, n, 1);
    if (!row || !weaker)
        return STOPPED;
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t x = tried[i];
        int first;
        if (both)
            row = both + x * n;
        else {
            if (stops(s, n * v->width))
                return STOPPED;
            s->level->row(v->columns, n, v->width, x, row);
        }
        if (!promising(row, ones, n, x, m, (uint32_t)1 << (k - 2), &first))
            continue;
        if (k == 3)
            return YES;
        tried[left] = x;
        weaker[left++] = (unsigned char)first;
    }
    if (k == 3)
        return NO;
    if (!left) {
        if (known)
            remember(s, known, k, NO);
        return NO;
    }
    if (!small) {
        if (!(known = entry_of_rows(s, v, ones, both, place)))
            return STOPPED;
        if (recalled(known, k) != UNKNOWN)
            return recalled(known, k);
    }
    size_t parts;
    const Space *found = factors(s, v, ones, both, &parts);
    if (!found)
        return STOPPED;
    const Frame here = {s->frames, known, v, k, parts ? 0 : left, ones, tried, place, weaker};
    s->frames = &here;
    if (s->threads > 1 && s->lead == s && s->ready && !s->team)
        summon(s);
    int answer = parts ? sum_at_least(s, found, parts, k) : some_shatters(s, &here);
    if (s->team && s->team->root == &here)
        dismiss(s);
    s->frames = here.below;
    if (answer == STOPPED && s->stopped == OVERTAKEN && recalled(known, k) != UNKNOWN) {
        s->stopped = RUNNING;
        return recalled(known, k);
    }
    if (answer != STOPPED)
        remember(s, known, k, answer);
    return answer;
}

/* Whether a tree of depth k is shattered; STOPPED if the search has to stop. */
static int at_least(Search *s, const Space *v, int k)
{
    if (k <= 0)
        return v->concepts > 0;
    if (k >= 32 || v->concepts >> k == 0)
        return NO;
    const Mark before = mark(s);
    const int answer = decide(s, v, k);
    give_back(s, before);
    return answer;
}

/* ---- expected depths ------------------------------------------------------------------------ */

/* A version space whose expected depth is sought. */
typedef struct {
    Space v;
    Depth upper;         /* its expected depth is at most that, */
    int exact;           /* and whether it is that */
    Entry *known;        /* NULL where it did not come to looking */
    uint32_t *ones;      /* of each column */
    int32_t (*hopes)[2]; /* of the sides of each column */
    const uint32_t *both;
} Node;

/* A column at the root, with upper bounds on the expected depths of its sides. */
typedef struct {
    Depth upper[2];
    Entry *known[2];
    uint32_t column;
    uint8_t exact[2];
} Choice;

static int settle(Search *s, const Space *v, Depth enough, Entry *known, Node *d);

#define BALANCED_UP_TO 3 /* version spaces with so many concepts have balanced trees, whatever they are */

/* F(m), of which `balanced_bits` tells. */
static Depth balanced(uint64_t m)
{
    const int k = 63 - __builtin_clzll(m);
    return (k - 1) * ONE + ((Depth)m << (PLACES - k));
}

/* The expected depth of a tree with such sides, rounded up. */
static Depth above(Depth left, Depth right)
{
    return ONE + ((left + right + 1) >> 1);
}

/* Upper bounds by counting pairs of columns. */
static int count_hopes(Search *s, Node *d)
{
    const size_t n = d->v.points;
    uint32_t *row = NULL;
    int32_t most = 0;
    d->ones = take(s, n, sizeof(uint32_t));
    d->hopes = take(s, n, sizeof *d->hopes);
    if (n <= NORMAL_UP_TO_POINTS)
        d->both = all_pairs(s, &d->v);
    else
        row = take(s, n, sizeof(uint32_t));
    if (!d->ones || !d->hopes || !(d->both || row) || stops(s, n * (n + d->v.width)))
        return 0;
    s->level->count(d->v.columns, n, d->v.width, d->ones);
    for (size_t x = 0; x < n; x++) {
        if (row) {
            if (stops(s, n * d->v.width))
                return 0;
            s->level->row(d->v.columns, n, d->v.width, x, row);
        }
        s->level->hopes(row ? row : d->both + x * n, d->ones, n, d->ones[x], (uint32_t)d->v.concepts,
                        d->hopes[x]);
        const int32_t hope = d->hopes[x][0] + d->hopes[x][1];
        most = hope > most ? hope : most;
    }
    const Depth upper = ONE + ((Depth)most << (PLACES - HOPE_PLACES - 1));
    if (upper < d->upper)
        d->upper = upper;
    return 1;
}

static void recall(Node *d)
{
    d->exact = d->known->exact;
    if (d->known->depth < d->upper)
        d->upper = d->known->depth;
}

/* An upper bound on the expected depth without branching, as good as it takes to see that it is not
 * larger than `enough`; 0 if stopped.  The entry may be known. */
static int survey(Search *s, const Space *v, Depth enough, Entry *known, Node *d)
{
    *d = (Node){.v = *v, .known = known};
    if (v->concepts <= BALANCED_UP_TO) {
        d->upper = balanced(v->concepts);
        d->exact = 1;
        return 1;
    }
    d->upper = balanced(v->concepts);
    if (d->upper <= enough)
        return 1;
    s->nodes++;
    if (stops(s, 16 + v->points))
        return 0;
    const int small = v->concepts < s->normal_from || v->points > NORMAL_UP_TO_POINTS;
    if (small && !known && !(d->known = entry_of_columns(s, v, NULL)))
        return 0;
    if (d->known)
        recall(d);
    if (d->exact || d->upper <= enough)
        return 1;
    if (!count_hopes(s, d))
        return 0;
    if (!d->known && d->upper > enough) {
        if (!(d->known = entry_of_rows(s, v, d->ones, d->both, NULL)))
            return 0;
        recall(d);
    }
    return 1;
}

/* The sum of the expected depths of factors, as `settle` has it. */
static int sum_depths(Search *s, const Space *found, size_t count, Depth enough, Node *d)
{
    Depth rest = 0, sum = 0;
    int exact = 1;
    for (size_t i = 0; i < count; i++)
        rest += balanced(found[i].concepts);
    for (size_t i = 0; i < count && sum + rest > enough; i++) {
        Node part;
        const Mark before = mark(s);
        rest -= balanced(found[i].concepts);
        if (!settle(s, found + i, enough - sum - rest, NULL, &part))
            return 0;
        give_back(s, before);
        sum += part.upper;
        exact &= part.exact;
    }
    if (sum + rest < d->upper)
        d->upper = sum + rest;
    d->exact = exact && sum + rest > enough;
    return 1;
}

/* Better bounds on the sides of a column, until their sum shows that it is no better than `best` or
 * both are exact: without branching, or with it.  0 if stopped. */
static int compare(Search *s, const Node *d, Choice *c, Depth best, int branching)
{
    const Mark before = mark(s);
    const Depth together = 2 * (best - ONE);
    const uint32_t x = c->column, here = d->ones[x], m = (uint32_t)d->v.concepts;
    const int first = c->upper[1] < c->upper[0];
    for (int turn = 0; turn < 2 && c->upper[0] + c->upper[1] > together; turn++) {
        const int side = first ^ turn;
        const Depth enough = together - c->upper[!side];
        Space part;
        Node node;
        if (c->exact[side])
            continue;
        if (!restricted(s, &d->v, x, side, side ? here : m - here, 1, &part)
            || !(branching ? settle : survey)(s, &part, enough, c->known[side], &node))
            return 0;
        give_back(s, before);
        if (node.upper < c->upper[side])
            c->upper[side] = node.upper;
        c->exact[side] = (uint8_t)node.exact;
        c->known[side] = node.known;
    }
    return 1;
}

/* Whether a choice is better than the best so far, or bounds how good the others can be. */
static int weigh(Search *s, const Choice *c, Depth *best, Depth *loose)
{
    const Depth value = above(c->upper[0], c->upper[1]);
    if (value > *loose)
        *loose = value;
    if (value > *best) {
        if ((c->upper[0] + c->upper[1]) & 1)
            s->stopped = TOO_DEEP;
        *best = value;
    }
    return !s->stopped;
}

/* The column that promises most, taken from a list that is not empty. */
static Choice chosen(Choice *choices, size_t *count)
{
    Choice *most = choices;
    for (Choice *c = choices + 1; c < choices + *count; c++)
        if (c->upper[0] + c->upper[1] > most->upper[0] + most->upper[1])
            most = c;
    const Choice found = *most;
    *most = choices[--*count];
    return found;
}

/* All columns at the root: first what is known of their sides, then, the most promising one first, what
 * they are worth.  As `settle`. */
static int branch(Search *s, Node *d, Depth enough)
{
    const size_t n = d->v.points;
    uint64_t *keys = take(s, n, 8);
    uint32_t *order = take(s, n, sizeof(uint32_t));
    Choice *choices = take(s, n, sizeof(Choice));
    Depth best = enough, loose = 0; /* no column is better than `loose` or those that are left */
    size_t left = 0;
    if (!keys || !order || !choices)
        return 0;
    for (size_t x = 0; x < n; x++) {
        keys[x] = (uint64_t)(uint32_t)~(d->hopes[x][0] + d->hopes[x][1]) << 32 | x;
        order[x] = (uint32_t)x;
    }
    sort(keys, order, n);
    for (size_t i = 0; i < n; i++) {
        Choice c = {.column = order[i]};
        for (int side = 0; side < 2; side++) {
            const uint64_t here = d->ones[c.column], there = d->v.concepts - here;
            c.upper[side] = (Depth)d->hopes[c.column][side] << (PLACES - HOPE_PLACES);
            c.exact[side] = (side ? here : there) <= BALANCED_UP_TO;
        }
        const Depth hope = above(c.upper[0], c.upper[1]);
        if (hope <= best) {
            loose = hope > loose ? hope : loose;
            break;
        }
        if (!compare(s, d, &c, best, 0))
            return 0;
        if (above(c.upper[0], c.upper[1]) > best && !(c.exact[0] && c.exact[1]))
            choices[left++] = c;
        else if (!weigh(s, &c, &best, &loose))
            return 0;
    }
    while (left) {
        Choice c = chosen(choices, &left);
        const Depth hope = above(c.upper[0], c.upper[1]);
        if (hope <= best) {
            loose = hope > loose ? hope : loose;
            break;
        }
        if (!compare(s, d, &c, best, 1) || !weigh(s, &c, &best, &loose))
            return 0;
    }
    d->exact = best > enough;
    if (d->exact)
        d->upper = best;
    else if (loose < d->upper)
        d->upper = loose;
    return 1;
}

/* The expected depth if it is larger than `enough`, and then exact, else some upper bound that is not
 * larger; 0 if stopped.  Memory stays taken. */
static int settle(Search *s, const Space *v, Depth enough, Entry *known, Node *d)
{
    size_t parts = 0;
    /* No depth is smaller than 0, and what is sought would double at each level. */
    enough = enough < 0 ? -1 : enough;
    if (!survey(s, v, enough, known, d))
        return 0;
    if (d->exact || d->upper <= enough)
        return 1;
    if (s->nested == PLACES) {
        s->stopped = TOO_DEEP;
        return 0;
    }
    s->nested++;
    const Space *found = factors(s, v, d->ones, d->both, &parts);
    if (!found || !(parts ? sum_depths(s, found, parts, enough, d) : branch(s, d, enough)))
        return 0;
    s->nested--;
    d->known->depth = d->upper;
    d->known->exact = (uint8_t)d->exact;
    return 1;
}

/* ---- shattered sets ------------------------------------------------------------------------- */

#define FEW 6 /* cells that are asked first whether they leave any completion, */
#define FEW_FOR 5 /* where at most so many points are wanted */
#define NARROW 2 /* words of a cell that is masked: to move its bits together would take longer */

/* Some points are chosen: their cells, and the points that may be added, by column and by name. */
typedef struct {
    Cell *cells;
    size_t count;
    const uint32_t *names;
    size_t points;
    int needed;    /* so many more points are wanted, */
    int any;       /* any that will do, or the first ones in the order of names; */
    int inside;    /* so many of them, the first ones, */
    size_t border; /* are among so many points. */
} Stage;

/* The parts of a cell where column x is 0 and where it is 1: their concepts, as bits, and how many. */
static void take_sides(Search *s, const Cell *c, size_t x, uint64_t *masks, Cell *parts)
{
    const uint64_t *column = c->columns + x * c->width;
    uint64_t *ones = masks + c->width;
    uint32_t size;
    for (size_t w = 0; w < c->width; w++) {
        masks[w] = (c->members ? c->members[w] : ~(uint64_t)0) & ~column[w];
        ones[w] = column[w];
    }
    if (!c->members && c->size % 64)
        masks[c->width - 1] &= ((uint64_t)1 << c->size % 64) - 1;
    s->level->count(column, 1, c->width, &size);
    parts[0] = (Cell){c->size - size, c->width, c->columns, masks};
    parts[1] = (Cell){size, c->width, c->columns, ones};
}

/* Turns a part, given by the columns of the cell and its members there, into a cell with the columns that
 * are kept. */
static int cut(Search *s, Cell *part, const uint32_t *kept, size_t points)
{
    const Cell c = *part;
    const size_t width = c.width <= NARROW ? c.width : (size_t)((c.size + 63) / 64);
    uint64_t *columns = take(s, points * width, 8);
    if (!columns || stops(s, 2 * points * c.width))
        return 0;
    if (c.width == 1)
        for (size_t j = 0; j < points; j++)
            columns[j] = c.columns[kept[j]] & c.members[0];
    else if (c.width == 2)
        for (size_t j = 0; j < points; j++) {
            columns[2 * j] = c.columns[2 * kept[j]] & c.members[0];
            columns[2 * j + 1] = c.columns[2 * kept[j] + 1] & c.members[1];
        }
    else
        s->level->compress(c.columns, c.width, kept, points, c.members, width, columns);
    *part = (Cell){c.size, width, columns, c.width <= NARROW ? c.members : NULL};
    return 1;
}

/* Moves the `FEW` smallest cells to the front, in order. */
static void smallest_first(Cell *cells, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const Cell c = cells[i];
        size_t at = i < FEW ? i : FEW;
        if (at == FEW && cells[--at].size <= c.size)
            continue;
        cells[i] = cells[at];
        for (; at && cells[at - 1].size > c.size; at--)
            cells[at] = cells[at - 1];
        cells[at] = c;
    }
}

/* The cells divided by column x, at most so many of the smallest, with the columns that are kept. */
static Cell *divided(Search *s, const Stage *g, size_t x, const uint32_t *kept, size_t points, size_t most)
{
    size_t words = 0;
    for (size_t i = 0; i < g->count; i++)
        words += g->cells[i].width;
    uint64_t *masks = take(s, 2 * words, 8);
    Cell *parts = take(s, 2 * g->count, sizeof *parts);
    if (!masks || !parts)
        return NULL;
    for (size_t i = 0; i < g->count; i++) {
        take_sides(s, g->cells + i, x, masks, parts + 2 * i);
        masks += 2 * g->cells[i].width;
    }
    smallest_first(parts, 2 * g->count);
    for (size_t i = 0; i < 2 * g->count && i < most; i++)
        if (!cut(s, parts + i, kept, points))
            return NULL;
    return parts;
}

static int complete(Search *s, const Stage *g, const uint32_t *plan, uint32_t *found);

/* Whether the points that go with x, or the first of them that do, complete what is chosen and x.  Where
 * the smallest cells leave no completion, the others are not divided. */
static int complete_with(Search *s, const Stage *g, size_t x, const uint32_t *kept, Stage next,
                         const uint32_t *plan, uint32_t *found)
{
    const Mark before = mark(s);
    int answer = YES;
    found[0] = g->names[x];
    next.count = FEW;
    if (g->count >= FEW && next.needed <= FEW_FOR) {
        next.cells = divided(s, g, x, kept, next.points, FEW);
        answer = next.cells ? complete(s, &next, plan, found + 1) : STOPPED;
        give_back(s, before);
    }
    if (answer == YES) {
        next.count = 2 * g->count;
        next.cells = divided(s, g, x, kept, next.points, next.count);
        answer = next.cells ? complete(s, &next, plan, found + 1) : STOPPED;
        give_back(s, before);
    }
    return answer;
}

/* As `complete`, where a plan tells which points are tried, and which ones complete each of them. */
static int complete_as_planned(Search *s, const Stage *g, const uint32_t *plan, uint32_t *found)
{
    const Mark before = mark(s);
    uint32_t *kept = take(s, 2 * g->points, sizeof(uint32_t));
    if (!kept)
        return STOPPED;
    uint32_t *below = kept + g->points;
    int answer = NO;
    s->nodes++;
    for (uint32_t i = *plan++; i && answer == NO; i--) {
        const uint32_t name = plan[0], *after = plan + 3, *last = after + plan[2];
        size_t x = 0, left = 0;
        plan = after + plan[1];
        while (x < g->points && g->names[x] != name)
            x++;
        for (size_t y = x + 1; y < g->points && after < last; y++) {
            while (after < last && *after < g->names[y])
                after++;
            if (after < last && *after == g->names[y])
                kept[left++] = (uint32_t)y;
        }
        if (x < g->points)
            left = s->level->partners(g->cells, g->count, x, kept, left, (size_t)g->needed - 1,
                                      (uint64_t)1 << (g->needed - 2));
        if (stops(s, g->points * g->cells->width / 4 + 1))
            return STOPPED;
        if (x == g->points || left + 1 < (size_t)g->needed)
            continue;
        for (size_t y = 0; y < left; y++)
            below[y] = g->names[kept[y]];
        answer = complete_with(s, g, x, kept, (Stage){NULL, 0, below, left, g->needed - 1, g->any, 0, 0},
                               last, found);
    }
    give_back(s, before);
    return answer;
}

/* As `complete`, with points taken in their order from the one numbered `start`, and round. */
static int complete_from(Search *s, const Stage *g, size_t start, uint32_t *found)
{
    const size_t points = g->points, needed = (size_t)g->needed, inside = (size_t)g->inside;
    size_t words = 0;
    for (size_t i = 0; i < g->count; i++)
        words += g->cells[i].width;
    const Mark before = mark(s);
    uint32_t *kept = take(s, 2 * points, sizeof(uint32_t));
    if (!kept)
        return STOPPED;
    uint32_t *below = kept + points;
    const uint64_t least = (uint64_t)1 << (needed - 2);
    int answer = NO;
    s->nodes++;
    for (size_t i = 0; i + needed <= points && (!inside || i + inside <= g->border) && answer == NO; i++) {
        const size_t x = i + start < points ? i + start : i + start - points;
        const size_t first = (inside ? g->border : points) - i - 1, rest = points - i - 1 - first;
        for (size_t j = i + 1; j < points; j++)
            kept[j - i - 1] = (uint32_t)(j + start < points ? j + start : j + start - points);
        const size_t border = s->level->partners(g->cells, g->count, x, kept, first,
                                                 inside ? inside - 1 : needed - 1, least);
        size_t left = border;
        if (stops(s, points * words / 4 + 1))
            return STOPPED;
        if (border + 1 < inside)
            continue;
        if (border + rest + 1 >= needed) {
            memmove(kept + border, kept + first, rest * sizeof *kept);
            left += s->level->partners(g->cells, g->count, x, kept + border, rest,
                                       border + 1 < needed ? needed - 1 - border : 0, least);
        }
        if (left + 1 < needed)
            continue;
        for (size_t j = 0; j < left; j++)
            below[j] = g->names[kept[j]];
        found[0] = g->names[x];
        found[1] = below[0];
        answer = needed == 2 ? YES
                             : complete_with(s, g, x, kept,
                                             (Stage){NULL, 0, below, left, g->needed - 1, g->any,
                                                     inside ? g->inside - 1 : 0, border},
                                             NULL, found);
    }
    give_back(s, before);
    return answer;
}

/* The first `needed` of the points, in their order, that divide each cell into all parts; or any, of which
 * half are in one half of the points, so that these are chosen first.  `found` gets their names.  Each
 * point divides each cell into parts of 2^(needed - 1) concepts. */
static int complete(Search *s, const Stage *g, const uint32_t *plan, uint32_t *found)
{
    if (g->needed == 1) {
        found[0] = g->names[0];
        return YES;
    }
    if (plan && *plan)
        return complete_as_planned(s, g, plan, found);
    if (!g->any || g->inside || g->needed == 2)
        return complete_from(s, g, 0, found);
    Stage half = *g;
    half.inside = (g->needed + 1) / 2;
    half.border = g->points / 2;
    const int answer = complete_from(s, &half, 0, found);
    if (answer != NO)
        return answer;
    half.border = g->points - half.border;
    return complete_from(s, &half, g->points / 2, found);
}

/* ---- what proofs are made of ---------------------------------------------------------------- */

/* The concepts under a mask, compacted: columns, their numbers, and whether they are complemented, where
 * there is room for all.  How many columns are left, or STOPPED. */
static int part_of(Search *s, const Space *v, const uint64_t *mask, uint64_t *columns, uint32_t *names,
                   unsigned char *flips)
{
    Space part = {0, v->points, 0, columns};
    uint32_t *chosen = take(s, v->points, sizeof(uint32_t));
    if (!chosen || stops(s, 2 * v->points * v->width))
        return STOPPED;
    s->level->count(mask, 1, v->width, chosen);
    if (!(part.concepts = *chosen))
        return 0;
    part.width = (size_t)((part.concepts + 63) / 64);
    for (size_t j = 0; j < v->points; j++)
        chosen[j] = (uint32_t)j;
    s->level->compress(v->columns, v->width, chosen, v->points, mask, part.width, columns);
    return compact(s, &part, columns, names, flips) ? (int)part.points : STOPPED;
}

/* Whether both sides of a column have a promising one. */
static int both_sides_promising(Search *s, const Space *v, size_t x, uint32_t ones, uint32_t least)
{
    int answer = YES;
    for (int side = 0; side < 2 && answer == YES; side++) {
        const Mark before = mark(s);
        Space part;
        answer = restricted(s, v, x, side, side ? ones : v->concepts - ones, 0, &part)
                     ? some_promising(s, &part, least)
                     : STOPPED;
        give_back(s, before);
    }
    return answer;
}

/* The columns that may be the root of a tree of depth k >= 1, the most balanced first, with the side of
 * each that looks weaker, where there is room for all; as `candidates` in look_ahead.py gives them.
 * Triples of columns are counted where that takes at most so much work.  How many, or STOPPED. */
static int look_ahead(Search *s, const Space *v, const uint32_t *both, int k, uint64_t work,
                      uint32_t *tried, unsigned char *weaker, int *enough)
{
    const size_t n = v->points;
    uint32_t *ones = take(s, n, sizeof(uint32_t));
    uint64_t *balance = take(s, n, 8);
    size_t left = 0;
    *enough = 0;
    if (!ones || !balance || stops(s, n * n))
        return STOPPED;
    if (k >= 32 || v->concepts >> k == 0)
        return 0;
    for (size_t x = 0; x < n; x++)
        ones[x] = both[x * n + x];
    const size_t count = by_balance(v, ones, k, balance, tried);
    memset(weaker, 0, n);
    *enough = k <= 3 || !count;
    if (k <= 2)
        return (int)count;
    for (size_t i = 0; i < count; i++) {
        const uint32_t x = tried[i];
        int first;
        if (promising(both + x * n, ones, n, x, (uint32_t)v->concepts, (uint32_t)1 << (k - 2), &first)) {
            tried[left] = x;
            weaker[left++] = (unsigned char)first;
        }
    }
    if (k == 3 || !left || left * n * n > work / v->concepts)
        return (int)left;
    const size_t passed = left;
    *enough = k == 4;
    left = 0;
    for (size_t i = 0; i < passed; i++) {
        const int answer = both_sides_promising(s, v, tried[i], ones[tried[i]], (uint32_t)1 << (k - 3));
        if (answer == STOPPED)
            return STOPPED;
        if (answer == YES) {
            tried[left] = tried[i];
            weaker[left++] = weaker[i];
        }
    }
    return (int)left;
}

/* ---- questions from outside ----------------------------------------------------------------- */

#define MOST_CONCEPTS ((uint64_t)1 << 31)

static void begin(Search *s, const Level *level)
{
    *s = (Search){.level = level, .normal_from = NORMAL_FROM_CONCEPTS, .shared_from = SHARED_FROM_CONCEPTS,
                  .lead = s, .threads = 1, .alone = ALONE, .most = UINT64_MAX, .polls_left = UINT64_MAX};
}

static void drop(Search *s, Chunk **chunks)
{
    while (*chunks) {
        Chunk *below = (*chunks)->below;
        release(s, *chunks, sizeof(Chunk) + (*chunks)->size * 8);
        *chunks = below;
    }
}

static void end(Search *s)
{
    drop(s, &s->entries);
    if (s->buckets)
        release(s, s->buckets, s->bucket_count * sizeof(Entry *));
}

/* A copy of columns in scratch, without what stands beyond the last concept. */
static uint64_t *own_columns(Search *s, const void *columns, size_t points, uint64_t concepts)
{
    const size_t width = (size_t)((concepts + 63) / 64);
    uint64_t *copy = take(s, points * width, 8);
    if (!copy)
        return NULL;
    memcpy(copy, columns, points * width * 8);
    if (concepts % 64)
        for (size_t j = 0; j < points; j++)
            copy[j * width + width - 1] &= ((uint64_t)1 << concepts % 64) - 1;
    return copy;
}

static void start(Search *s)
{
    s->stopped = RUNNING;
    s->nested = 0;
    s->frames = NULL;
    s->ready = s->alone == 0;
    if (s->threads > 1)
        s->began = thread_time();
    s->until_poll = WORDS_BETWEEN_POLLS;
}

static void stop(Search *s)
{
    if (s->threads > 1)
        s->worked += thread_time() - s->began;
    give_back(s, (Mark){NULL, 0});
    if (s->spare)
        release(s, s->spare, sizeof(Chunk) + s->spare->size * 8);
    s->spare = NULL;
}

/* Whether the class with these columns, any that are distinct rows, shatters a tree of depth k. */
static int question(Search *s, const void *columns, size_t points, uint64_t concepts, int k)
{
    Space v = {concepts, points, (size_t)((concepts + 63) / 64), NULL};
    int answer = STOPPED;
    start(s);
    if (k <= 0 || concepts < 2)
        return k <= 0 ? concepts > 0 : NO;
    uint64_t *copy = own_columns(s, columns, points, concepts);
    v.columns = copy;
    if (copy && compact(s, &v, copy, NULL, NULL))
        answer = at_least(s, &v, k);
    stop(s);
    return answer;
}

/* The expected depth of the class with these columns; YES, or STOPPED. */
static int expected_depth(Search *s, const void *columns, size_t points, uint64_t concepts, Depth *depth)
{
    Node root;
    Space v = {concepts, points, (size_t)((concepts + 63) / 64), NULL};
    int answer = STOPPED;
    start(s);
    *depth = 0;
    if (concepts < 2)
        return YES;
    uint64_t *copy = own_columns(s, columns, points, concepts);
    v.columns = copy;
    if (copy && compact(s, &v, copy, NULL, NULL) && settle(s, &v, -1, NULL, &root)) {
        *depth = root.upper;
        answer = YES;
    }
    stop(s);
    return answer;
}

#define MOST_SHATTERED 31

/* Whether `size` of the points are shattered, from 1 to MOST_SHATTERED, among them the first `fixed`
 * ones, which are fewer.  Some that are, the first in the order of points unless `any` will do, are
 * found.  A plan, or NULL, tells by what points those are completed. */
static int first_shattered(Search *s, const void *columns, size_t points, uint64_t concepts, int size,
                           int fixed, int any, const uint32_t *plan, uint32_t *found)
{
    int answer = STOPPED;
    start(s);
    Cell all = {concepts, (size_t)((concepts + 63) / 64), NULL, NULL};
    uint64_t *copy = own_columns(s, columns, points, concepts);
    uint32_t *names = take(s, points, sizeof(uint32_t));
    uint32_t *kept = take(s, points, sizeof(uint32_t));
    Stage g = {&all, 1, names, 0, size, any, 0, 0};
    if (!copy || !names || !kept || stops(s, points * all.width))
        goto done;
    all.columns = copy;
    s->level->count(copy, points, all.width, kept);
    for (size_t j = 0; j < points; j++)
        if (kept[j] >> (size - 1) && (concepts - kept[j]) >> (size - 1)) {
            memmove(copy + g.points * all.width, copy + j * all.width, all.width * 8);
            names[g.points++] = (uint32_t)j;
        }
    for (int i = 0; i < fixed; i++) {
        answer = NO;
        if (g.points < (size_t)g.needed || names[0] != (uint32_t)i)
            goto done;
        answer = STOPPED;
        found[i] = names[0];
        for (size_t y = 1; y < g.points; y++)
            kept[y - 1] = (uint32_t)y;
        g.points = s->level->partners(g.cells, g.count, 0, kept, g.points - 1, 1,
                                      (uint64_t)1 << (g.needed - 2));
        for (size_t y = 0; y < g.points; y++)
            names[y] = names[kept[y]];
        g.cells = stops(s, points * all.width / 16) ? NULL
                : divided(s, &g, 0, kept, g.points, SIZE_MAX);
        g.count *= 2;
        g.needed--;
        if (!g.cells)
            goto done;
    }
    answer = g.points < (size_t)g.needed ? NO : complete(s, &g, plan, found + fixed);
done:
    stop(s);
    return answer;
}

/* ---- the binding ---------------------------------------------------------------------------- */

#ifndef KERNEL_WITHOUT_PYTHON

#ifndef KERNEL_INTERFACE
#error "setup.py tells the number of the interface, which stands in engines.py."
#endif

typedef struct {
    PyObject_HEAD
    Search search;
    int busy;
    PyThreadState *thread;
    PyObject *check;
} SearchObject;

/* Takes the interpreter's lock for a moment: signals, and the caller's limits. */
static int poll_python(void *argument)
{
    SearchObject *self = argument;
    PyEval_RestoreThread(self->thread);
    int failed = PyErr_CheckSignals();
    if (!failed) {
        PyObject *result = PyObject_CallNoArgs(self->check);
        failed = !result;
        Py_XDECREF(result);
    }
    self->thread = PyEval_SaveThread();
    return failed;
}

/* What is asked of a table, and room for what is found. */
typedef struct Question {
    int (*ask)(Search *, const void *columns, size_t points, uint64_t concepts, struct Question *);
    int number, fixed, any;
    int threads; /* 0 is one */
    const uint32_t *plan;
    uint32_t found[MOST_SHATTERED];
    Depth depth;
    uint64_t work;
    void *arrays[4];
    int (*compute)(Search *, const Space *, struct Question *);
} Question;

static int ask_at_least(Search *s, const void *columns, size_t points, uint64_t concepts, Question *q)
{
    return question(s, columns, points, concepts, q->number);
}

static int ask_first_shattered(Search *s, const void *columns, size_t points, uint64_t concepts,
                               Question *q)
{
    return first_shattered(s, columns, points, concepts, q->number, q->fixed, q->any, q->plan, q->found);
}

static int ask_expected_depth(Search *s, const void *columns, size_t points, uint64_t concepts,
                              Question *q)
{
    return expected_depth(s, columns, points, concepts, &q->depth);
}

/* What is computed of a version space is put into arrays of the caller. */
static int ask_compute(Search *s, const void *columns, size_t points, uint64_t concepts, Question *q)
{
    Space v = {concepts, points, (size_t)((concepts + 63) / 64), NULL};
    int answer = STOPPED;
    start(s);
    if (!columns || (v.columns = own_columns(s, columns, points, concepts)))
        answer = q->compute(s, &v, q);
    stop(s);
    return answer;
}

static int compute_part(Search *s, const Space *v, Question *q)
{
    return part_of(s, v, q->arrays[0], q->arrays[1], q->arrays[2], q->arrays[3]);
}

static int compute_pairs(Search *s, const Space *v, Question *q)
{
    const uint32_t *both = all_pairs(s, v);
    if (both)
        memcpy(q->arrays[0], both, v->points * v->points * sizeof(uint32_t));
    return both ? YES : STOPPED;
}

static int compute_look_ahead(Search *s, const Space *v, Question *q)
{
    return look_ahead(s, v, q->arrays[0], q->number, q->work, q->arrays[1], q->arrays[2], &q->fixed);
}

static int compute_order(Search *s, const Space *v, Question *q)
{
    return canonical_order(s, v->points, (uint32_t)v->concepts, q->arrays[0], q->arrays[1], q->arrays[2],
                           q->arrays[3])
             ? YES
             : STOPPED;
}

static int compute_rows(Search *s, const Space *v, Question *q)
{
    const uint64_t *rows = arranged_rows(s, v, q->arrays[0], q->arrays[1]);
    if (rows)
        memcpy(q->arrays[2], rows, v->concepts * ((v->points + 63) / 64) * 8);
    return rows ? YES : STOPPED;
}

/* What can be computed, and the arrays that it takes: a mask, columns, numbers, bytes, words for the points,
 * numbers for pairs of them, and rows. */
static const struct {
    const char *name, *arrays;
    int (*compute)(Search *, const Space *, Question *);
} COMPUTED[] = {{"part", "mcnb", compute_part},
                {"pairs", "p", compute_pairs},
                {"look_ahead", "pnb", compute_look_ahead},
                {"order", "npnw", compute_order},
                {"rows", "nwr", compute_rows}};

static uint64_t bytes_of(char array, size_t points, uint64_t concepts)
{
    const uint64_t width = (concepts + 63) / 64;
    switch (array) {
    case 'm': return 8 * width;
    case 'c': return 8 * width * points;
    case 'n': return sizeof(uint32_t) * points;
    case 'b': return points;
    case 'w': return 8 * points;
    case 'p': return sizeof(uint32_t) * points * points;
    default: return 8 * ((points + 63) / 64) * concepts;
    }
}

/* Runs a question with the interpreter's lock given up; there may be an exception afterwards. */
static int run(SearchObject *self, const void *columns, size_t points, unsigned long long concepts,
               unsigned long long most, unsigned long long polls, PyObject *check, Question *q)
{
    int answer = STOPPED;
    if (concepts > MOST_CONCEPTS)
        PyErr_SetString(PyExc_ValueError, "too many concepts for the kernel");
    else if (points >= UINT32_MAX / 2)
        PyErr_SetString(PyExc_ValueError, "too many points for the kernel");
    else if (self->busy)
        PyErr_SetString(PyExc_RuntimeError, "the search is already running");
    else {
        Search *s = &self->search;
        self->busy = 1;
        self->check = check;
        s->most = most;
        s->threads = q->threads;
        s->polls_left = polls;
        s->poll = poll_python;
        s->poll_argument = self;
        self->thread = PyEval_SaveThread();
        answer = q->ask(s, columns, points, concepts, q);
        PyEval_RestoreThread(self->thread);
        self->check = NULL;
        self->busy = 0;
        if (answer == STOPPED && s->stopped == OUT_OF_MEMORY)
            PyErr_NoMemory();
        if (answer == STOPPED && s->stopped == TOO_DEEP)
            PyErr_SetString(PyExc_OverflowError, "expected depths with too many binary places");
    }
    return answer;
}

/* Runs a question about columns. */
static int asked(SearchObject *self, const Py_buffer *columns, unsigned long long concepts,
                 unsigned long long most, unsigned long long polls, PyObject *check, Question *q)
{
    const size_t bytes = (size_t)((concepts + 63) / 64) * 8;
    if (bytes && (size_t)columns->len % bytes) {
        PyErr_SetString(PyExc_ValueError, "columns must be packed into words of 64 concepts");
        return STOPPED;
    }
    return run(self, columns->buf, bytes ? (size_t)columns->len / bytes : 0, concepts, most, polls, check, q);
}

static PyObject *search_at_least(PyObject *object, PyObject *arguments)
{
    Py_buffer columns;
    unsigned long long concepts, most;
    PyObject *check;
    Question q = {.ask = ask_at_least};
    if (!PyArg_ParseTuple(arguments, "y*KiKiO", &columns, &concepts, &q.number, &most, &q.threads, &check))
        return NULL;
    const int answer = asked((SearchObject *)object, &columns, concepts, most, UINT64_MAX, check, &q);
    PyBuffer_Release(&columns);
    if (PyErr_Occurred())
        return NULL;
    if (answer == STOPPED)
        Py_RETURN_NONE;
    return PyBool_FromLong(answer);
}

static PyObject *search_expected_depth(PyObject *object, PyObject *arguments)
{
    Py_buffer columns;
    unsigned long long concepts, most;
    PyObject *check;
    Question q = {.ask = ask_expected_depth};
    if (!PyArg_ParseTuple(arguments, "y*KKO", &columns, &concepts, &most, &check))
        return NULL;
    const int answer = asked((SearchObject *)object, &columns, concepts, most, UINT64_MAX, check, &q);
    PyBuffer_Release(&columns);
    if (PyErr_Occurred())
        return NULL;
    if (answer == STOPPED)
        Py_RETURN_NONE;
    return Py_BuildValue("(KK)", (unsigned long long)(q.depth >> 64), (unsigned long long)q.depth);
}

/* How many words a plan takes: the number of points that are tried; for each, its name, how many words
 * stand for it beyond three, how many points may complete it, these in order, and what is planned for
 * them.  0 if it is none, with points in order and at least 3 points wanted where some are tried. */
static size_t planned_words(const uint32_t *plan, size_t words, int needed)
{
    size_t at = 1;
    if (!words || (*plan && needed < 3))
        return 0;
    for (uint32_t i = 0; i < *plan; i++) {
        if (words - at < 3 || plan[at + 1] > words - at - 3 || plan[at + 2] > plan[at + 1])
            return 0;
        const size_t listed = plan[at + 2], rest = plan[at + 1] - listed;
        at += 3 + listed;
        if (planned_words(plan + at, rest, needed - 1) != rest)
            return 0;
        at += rest;
    }
    return at;
}

static PyObject *search_first_shattered(PyObject *object, PyObject *arguments)
{
    Py_buffer columns, plan;
    unsigned long long concepts, most, polls;
    PyObject *check;
    Question q = {.ask = ask_first_shattered};
    if (!PyArg_ParseTuple(arguments, "y*Kiipy*KKO", &columns, &concepts, &q.number, &q.fixed, &q.any,
                          &plan, &most, &polls, &check))
        return NULL;
    int answer = STOPPED;
    const size_t planned = (size_t)plan.len / sizeof(uint32_t);
    if (planned)
        q.plan = plan.buf;
    if (q.number < 1 || q.number > MOST_SHATTERED)
        PyErr_SetString(PyExc_ValueError, "the kernel seeks shattered sets of 1 to 31 points");
    else if (q.fixed < 0 || q.fixed >= q.number)
        PyErr_SetString(PyExc_ValueError, "fewer points are fixed than are sought");
    else if (planned && planned_words(q.plan, planned, q.number - q.fixed) != planned)
        PyErr_SetString(PyExc_ValueError, "a plan tries points, and lists what may complete each");
    else
        answer = asked((SearchObject *)object, &columns, concepts, most, polls, check, &q);
    PyBuffer_Release(&plan);
    PyBuffer_Release(&columns);
    if (PyErr_Occurred())
        return NULL;
    if (answer == STOPPED)
        Py_RETURN_NONE;
    PyObject *listed = PyList_New(0);
    for (int i = 0; listed && answer == YES && i < q.number; i++) {
        PyObject *number = PyLong_FromUnsignedLong(q.found[i]);
        if (!number || PyList_Append(listed, number)) {
            Py_DECREF(listed);
            listed = NULL;
        }
        Py_XDECREF(number);
    }
    return listed;
}

static PyObject *search_compute(PyObject *object, PyObject *arguments)
{
    const char *name;
    Py_buffer columns, arrays[4];
    unsigned long long points, concepts;
    PyObject *given, *check;
    Question q = {.ask = ask_compute};
    if (!PyArg_ParseTuple(arguments, "sy*KKiKOO", &name, &columns, &points, &concepts, &q.number, &q.work,
                          &given, &check))
        return NULL;
    size_t kind = 0, held = 0;
    while (kind < sizeof COMPUTED / sizeof *COMPUTED && strcmp(COMPUTED[kind].name, name))
        kind++;
    PyObject *answer = NULL;
    if (kind == sizeof COMPUTED / sizeof *COMPUTED) {
        PyErr_Format(PyExc_ValueError, "the kernel computes no %s", name);
        goto done;
    }
    const char *wanted = COMPUTED[kind].arrays;
    q.compute = COMPUTED[kind].compute;
    int fits = PyTuple_Check(given) && (size_t)PyTuple_Size(given) == strlen(wanted)
            && points < UINT32_MAX / 2 && concepts <= MOST_CONCEPTS
            && ((uint64_t)columns.len == bytes_of('c', points, concepts)
                || (!columns.len && q.compute == compute_order));
    for (; fits && wanted[held]; held++) {
        if (PyObject_GetBuffer(PyTuple_GetItem(given, (Py_ssize_t)held), arrays + held, PyBUF_SIMPLE))
            goto done;
        q.arrays[held] = arrays[held].buf;
        fits = (uint64_t)arrays[held].len >= bytes_of(wanted[held], points, concepts)
            && (uintptr_t)arrays[held].buf % 8 == 0;
    }
    if (fits) {
        const int found = run((SearchObject *)object, columns.len ? columns.buf : NULL, points, concepts,
                              UINT64_MAX, UINT64_MAX, check, &q);
        if (!PyErr_Occurred())
            answer = Py_BuildValue("ii", found, q.fixed);
    } else
        PyErr_SetString(PyExc_ValueError, "arrays that are not of the size of what is computed");
done:
    while (held)
        PyBuffer_Release(arrays + --held);
    PyBuffer_Release(&columns);
    return answer;
}

static PyObject *search_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    const char *name = NULL;
    unsigned long long normal_from = NORMAL_FROM_CONCEPTS, shared_from = SHARED_FROM_CONCEPTS, alone = ALONE;
    static char *names[] = {"level", "normal_from", "shared_from", "alone", NULL};
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|zKKK", names, &name, &normal_from, &shared_from,
                                     &alone))
        return NULL;
    const Level *const *level = supported_levels();
    while (name && *level && strcmp((*level)->name, name))
        level++;
    if (!*level) {
        PyErr_Format(PyExc_ValueError, "this processor has no level %s", name);
        return NULL;
    }
    allocfunc allocate_object = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    SearchObject *self = (SearchObject *)allocate_object(type, 0);
    if (self) {
        begin(&self->search, *level);
        self->search.normal_from = normal_from;
        self->search.shared_from = shared_from;
        self->search.alone = alone;
    }
    return (PyObject *)self;
}

static void search_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    end(&((SearchObject *)object)->search);
    freefunc free_object = (freefunc)PyType_GetSlot(type, Py_tp_free);
    free_object(object);
    Py_DECREF(type);
}

static PyObject *search_used(PyObject *object, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLongLong(((SearchObject *)object)->search.used);
}

static PyObject *search_limited(PyObject *object, void *closure)
{
    (void)closure;
    return PyBool_FromLong(((SearchObject *)object)->search.stopped == LIMIT_OF_MEMORY);
}

static PyObject *search_nodes(PyObject *object, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLongLong(((SearchObject *)object)->search.nodes);
}

static PyObject *search_level(PyObject *object, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(((SearchObject *)object)->search.level->name);
}

static PyMethodDef search_methods[] = {
    {"at_least", search_at_least, METH_VARARGS,
     "at_least(columns, concepts, depth, memory, threads, check): whether depth is shattered; None if it "
     "would take more than so many bytes, what is remembered included."},
    {"expected_depth", search_expected_depth, METH_VARARGS,
     "expected_depth(columns, concepts, memory, check): the two halves of the largest expected depth of "
     "a shattered tree, in units of 2^-PLACES; None if it would take more than so many bytes."},
    {"first_shattered", search_first_shattered, METH_VARARGS,
     "first_shattered(columns, concepts, size, fixed, any, plan, memory, patience, check): the first "
     "points, in lexicographic order, or any, that are shattered, the first `fixed` columns among them "
     "and then as planned; [] if none are; None if finding out takes too long, or more than so many bytes."},
    {"compute", search_compute, METH_VARARGS,
     "compute(name, columns, points, concepts, number, work, arrays, check): puts into arrays what is "
     "computed of a version space, and gives two numbers."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef search_attributes[] = {
    {"used", search_used, NULL, "Bytes of what the search remembers.", NULL},
    {"limited", search_limited, NULL, "Whether the last question needed more memory than allowed.", NULL},
    {"nodes", search_nodes, NULL, "How many version spaces it has looked at.", NULL},
    {"level", search_level, NULL, "Which instructions of the processor it uses.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot search_slots[] = {{Py_tp_new, search_new},
                                     {Py_tp_dealloc, search_dealloc},
                                     {Py_tp_methods, search_methods},
                                     {Py_tp_getset, search_attributes},
                                     {Py_tp_doc, "A search with its memory."},
                                     {0, NULL}};

static PyType_Spec search_spec = {"lsclasses.searching._kernel.Search", sizeof(SearchObject), 0,
                                  Py_TPFLAGS_DEFAULT, search_slots};

static int fill(PyObject *module)
{
    PyObject *levels = PyList_New(0);
    PyObject *type = levels ? PyType_FromSpec(&search_spec) : NULL;
    int failed = !type;
    for (const Level *const *level = supported_levels(); !failed && *level; level++) {
        PyObject *name = PyUnicode_FromString((*level)->name);
        failed = !name || PyList_Append(levels, name);
        Py_XDECREF(name);
    }
    PyObject *listed = failed ? NULL : PyList_AsTuple(levels);
    failed = failed || !listed || PyModule_AddObjectRef(module, "LEVELS", listed)
             || PyModule_AddObjectRef(module, "Search", type)
             || PyModule_AddIntConstant(module, "INTERFACE", KERNEL_INTERFACE)
             || PyModule_AddIntConstant(module, "PLACES", PLACES);
    Py_XDECREF(listed);
    Py_XDECREF(type);
    Py_XDECREF(levels);
    return failed ? -1 : 0;
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, fill}, {0, NULL}};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT,
                                    "lsclasses.searching._kernel",
                                    "Which trees and sets version spaces shatter.",
                                    0,
                                    NULL,
                                    module_slots,
                                    NULL,
                                    NULL,
                                    NULL};

PyMODINIT_FUNC PyInit__kernel(void);

PyMODINIT_FUNC PyInit__kernel(void)
{
    return PyModuleDef_Init(&module);
}

#endif
