/*
 * The kernel without Python, for the sanitizers (`make kernel`): random tables against the definition,
 * every level of the processor and every regime against each other, and searches that are stopped, that
 * may use little memory, or that find none, at random moments and go on from there.
 */

#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>

static long until_failure = -1;
static void (*before_malloc)(size_t size);

static void *failing_malloc(size_t size)
{
    if (before_malloc)
        before_malloc(size);
    if (__atomic_load_n(&until_failure, __ATOMIC_RELAXED) > 0
        && __atomic_sub_fetch(&until_failure, 1, __ATOMIC_RELAXED) == 0)
        return NULL;
    return malloc(size);
}

#define KERNEL_WITHOUT_PYTHON
#define KERNEL_MALLOC failing_malloc
#define KERNEL_HASH_BITS 3 /* many keys have one hash */
#define KERNEL_PRIME ((uint64_t)3) /* many columns look independent */
#include "../../../lsclasses/searching/_kernel.c"

static uint64_t state = 88172645463325252u;

static uint64_t draw(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) % below;
}

/* A table: labels[i * points + j] and the packed columns of the same. */
typedef struct {
    size_t concepts, points;
    unsigned char *labels;
    uint64_t *columns;
} Table;

static size_t points_now;

static int by_row(const void *a, const void *b)
{
    return memcmp(a, b, points_now);
}

/* Packs distinct labels; what stands beyond the last concept must not matter. */
static void pack(Table *t)
{
    const size_t width = (t->concepts + 63) / 64;
    t->columns = calloc(t->points * width + 1, 8);
    for (size_t j = 0; j < t->points; j++) {
        for (size_t i = 0; i < t->concepts; i++)
            t->columns[j * width + i / 64] |= (uint64_t)t->labels[i * t->points + j] << i % 64;
        if (t->concepts % 64)
            t->columns[j * width + width - 1] |= draw(1u << 30) << t->concepts % 64;
    }
}

/* A table of these labels, repeated rows left out. */
static Table distinct(unsigned char *labels, size_t concepts, size_t points)
{
    Table t = {0, points, labels, NULL};
    points_now = points;
    qsort(labels, concepts, points, by_row);
    for (size_t i = 0; i < concepts; i++)
        if (!i || memcmp(labels + i * points, labels + (t.concepts - 1) * points, points))
            memmove(labels + t.concepts++ * points, labels + i * points, points);
    pack(&t);
    return t;
}

static Table random_table(size_t concepts, size_t points, unsigned density)
{
    unsigned char *labels = malloc(concepts * points + 1);
    for (size_t i = 0; i < concepts * points; i++)
        labels[i] = draw(10) < density;
    /* Some columns are equal, complementary or constant. */
    for (size_t j = 1; j < points; j += 1 + draw(6)) {
        const unsigned kind = (unsigned)draw(3);
        for (size_t i = 0; i < concepts; i++)
            labels[i * points + j] = kind == 2 ? 1 : labels[i * points + j - 1] ^ (kind == 1);
    }
    return distinct(labels, concepts, points);
}

/* The union of random Hamming balls; the dimension of one alone is its radius. */
static Table balls(size_t count, unsigned radius, size_t points)
{
    const uint64_t all = (uint64_t)1 << points;
    unsigned char *labels = malloc(count * all * points);
    size_t concepts = 0;
    for (size_t b = 0; b < count; b++) {
        const uint64_t centre = draw(all);
        for (uint64_t row = 0; row < all; row++)
            if (__builtin_popcountll(row ^ centre) <= (int)radius) {
                for (size_t j = 0; j < points; j++)
                    labels[concepts * points + j] = row >> j & 1;
                concepts++;
            }
    }
    return distinct(labels, concepts, points);
}

/* A product, its columns in random order; some of them complemented. */
static Table product(const Table *a, const Table *b)
{
    const size_t points = a->points + b->points;
    unsigned char *labels = malloc(a->concepts * b->concepts * points);
    size_t *place = malloc(points * sizeof(size_t));
    for (size_t j = 0; j < points; j++) {
        const size_t other = draw(j + 1);
        place[j] = place[other];
        place[other] = j;
    }
    const uint64_t flips = draw((uint64_t)1 << points);
    for (size_t i = 0; i < a->concepts * b->concepts; i++)
        for (size_t j = 0; j < points; j++) {
            const unsigned char label =
                j < a->points ? a->labels[i / b->concepts * a->points + j]
                              : b->labels[i % b->concepts * b->points + j - a->points];
            labels[i * points + place[j]] = label ^ (flips >> place[j] & 1);
        }
    free(place);
    return distinct(labels, a->concepts * b->concepts, points);
}

static void forget(Table *t)
{
    free(t->labels);
    free(t->columns);
}

/* The definition, on lists of rows. */
static int shatters(const Table *t, const size_t *rows, size_t count, int k)
{
    if (k == 0)
        return count > 0;
    size_t *part = malloc((count + 1) * sizeof(size_t));
    int found = 0;
    for (size_t x = 0; x < t->points && !found; x++) {
        int both = 1;
        for (int side = 0; side < 2 && both; side++) {
            size_t size = 0;
            for (size_t i = 0; i < count; i++)
                if (t->labels[rows[i] * t->points + x] == side)
                    part[size++] = rows[i];
            both = size < count && shatters(t, part, size, k - 1);
        }
        found = both;
    }
    free(part);
    return found;
}

static int definition(const Table *t)
{
    size_t rows[64];
    for (size_t i = 0; i < t->concepts; i++)
        rows[i] = i;
    int k = 0;
    while (shatters(t, rows, t->concepts, k + 1))
        k++;
    return k;
}

static void require(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "kernel_harness: %s\n", what);
        exit(1);
    }
}

static int64_t dimension(Search *s, const Table *t)
{
    int k = 0;
    for (;; k++) {
        const int answer = question(s, t->columns, t->points, t->concepts, k + 1);
        if (answer == STOPPED)
            return STOPPED;
        if (!answer)
            break;
    }
    /* What is remembered must not contradict it, whatever is asked. */
    for (int i = 0; i < 6; i++) {
        const int depth = (int)draw(12), answer = question(s, t->columns, t->points, t->concepts, depth);
        if (answer == STOPPED)
            return STOPPED;
        require(answer == (depth <= k), "an answer contradicts another one");
    }
    return k;
}

/* The definition of the expected depth, on lists of rows. */
static Depth deepest(const Table *t, const size_t *rows, size_t count)
{
    size_t *part = malloc((count + 1) * sizeof(size_t));
    Depth best = 0;
    for (size_t x = 0; x < t->points; x++) {
        Depth sum = 0;
        size_t size = 0;
        for (int side = 0; side < 2; side++) {
            size = 0;
            for (size_t i = 0; i < count; i++)
                if (t->labels[rows[i] * t->points + x] == side)
                    part[size++] = rows[i];
            if (!size || size == count)
                break;
            sum += deepest(t, part, size);
        }
        if (size && size < count && ONE + sum / 2 > best)
            best = ONE + sum / 2;
    }
    free(part);
    return best;
}

#define SHIFT (PLACES - 56)

/* The expected depth, of which these tables need no more than 56 binary places. */
static int64_t expected(Search *s, const Table *t)
{
    Depth depth;
    if (expected_depth(s, t->columns, t->points, t->concepts, &depth) == STOPPED)
        return STOPPED;
    require(depth >> SHIFT << SHIFT == depth, "an expected depth has too many binary places");
    return (int64_t)(depth >> SHIFT);
}

static int64_t expected_by_definition(const Table *t)
{
    size_t rows[64];
    for (size_t i = 0; i < t->concepts; i++)
        rows[i] = i;
    return (int64_t)(deepest(t, rows, t->concepts) >> SHIFT);
}

/* The expected depth at each level and with and without normal forms. */
static int64_t expected_of(const Table *t)
{
    int64_t value = -2;
    for (const Level *const *level = supported_levels(); *level; level++)
        for (uint64_t normal = 0; normal <= 24; normal += 12) {
            Search s;
            begin(&s, *level);
            s.normal_from = normal == 24 ? UINT64_MAX : normal;
            const int64_t found = expected(&s, t);
            require(value == -2 || value == found, "two regimes differ in the expected depth");
            value = found;
            end(&s);
            require(s.held == 0, "memory is not given back by expected depths");
        }
    return value;
}

static int stop_at_once(void *argument)
{
    return draw(*(uint64_t *)argument) == 0;
}

/* The answer with everything allowed, at each level and with and without normal forms. */
static int answer_of(const Table *t)
{
    int value = -2;
    for (const Level *const *level = supported_levels(); *level; level++)
        for (int normal = 0; normal < 2; normal++) {
            Search s;
            begin(&s, *level);
            s.normal_from = normal ? 0 : 200;
            const int found = dimension(&s, t);
            require(value == -2 || value == found, "two regimes differ");
            value = found;
            end(&s);
            require(s.held == 0, "memory is not given back");
            begin(&s, *level);
            s.normal_from = normal ? 0 : 200;
            for (int k = 14; k >= 0; k--)
                require(question(&s, t->columns, t->points, t->concepts, k) == (k <= value),
                        "from above the dimension is another one");
            end(&s);
        }
    return value;
}

static const Search *limited;

static void within_limit(size_t size)
{
    (void)size;
    require(limited->held <= limited->most, "more memory is asked for than is allowed");
}

/* Stopped now and then for one reason or another, the search goes on and ends with this value. */
static void disturbed(const Table *t, int64_t (*ask)(Search *, const Table *), int64_t value, int threads)
{
    Search s;
    begin(&s, supported_levels()[0]);
    s.normal_from = 2 * draw(100);
    s.alone = 0;
    s.shared_from = 2 * draw(100);
    uint64_t patience = 1 + draw(20);
    int stopped = 0;
    limited = &s;
    before_malloc = threads > 1 ? NULL : within_limit; /* what is not allowed is noted for a moment */
    for (int i = 0; i < 60; i++) {
        s.threads = threads;
        s.poll = i % 3 == 0 ? stop_at_once : NULL;
        s.poll_argument = &patience;
        s.most = i % 3 == 1 ? s.used + draw(1u << (8 + i / 3)) : UINT64_MAX;
        until_failure = i % 3 == 2 ? 1 + (long)draw(20 + (uint64_t)i) : -1;
        const int64_t found = ask(&s, t);
        require(found == STOPPED || found == value, "an answer after a disturbance differs");
        stopped += found == STOPPED;
        until_failure = -1;
        require(s.held == s.used, "more memory is held than that of what is remembered");
    }
    before_malloc = NULL;
    require(t->concepts < 2000 || stopped, "no disturbance stopped the search");
    s.poll = NULL;
    s.most = UINT64_MAX;
    s.threads = threads;
    require(ask(&s, t) == value, "a search that was disturbed ends elsewhere");
    end(&s);
    require(s.held == 0, "memory is not given back after a disturbance");
}

/* Several threads, at once and for the smallest version spaces; what they remember, and disturbances. */
static void check_threads(const Table *t, int value)
{
    for (int threads = 2; threads <= 4; threads++)
        for (int normal = 0; normal < 2; normal++) {
            Search s;
            begin(&s, supported_levels()[0]);
            s.normal_from = normal ? 0 : 200;
            s.shared_from = 8 * draw(2);
            s.alone = draw(3) / 2;
            for (int i = 0; i < 12; i++) {
                s.threads = i % 4 ? threads : 1;
                const int k = i < 2 ? value + i : (int)draw(12);
                require(question(&s, t->columns, t->points, t->concepts, k) == (k <= value),
                        "several threads answer otherwise than one");
                require(!s.team && s.held == s.used, "threads keep memory");
            }
            end(&s);
            require(s.held == 0, "memory is not given back by threads");
        }
}

/* The dimension by one step of the definition, on sides that are packed here. */
static int one_step(const Table *t)
{
    int best = 0;
    for (size_t x = 0; x < t->points; x++) {
        int value[2] = {-1, -1};
        for (int side = 0; side < 2; side++) {
            Table part = {0, t->points, malloc(t->concepts * t->points + 1), NULL};
            for (size_t i = 0; i < t->concepts; i++)
                if (t->labels[i * t->points + x] == side)
                    memcpy(part.labels + part.concepts++ * t->points, t->labels + i * t->points,
                           t->points);
            pack(&part);
            if (part.concepts)
                value[side] = answer_of(&part);
            forget(&part);
        }
        const int here = 1 + (value[0] < value[1] ? value[0] : value[1]);
        best = here > best ? here : best;
    }
    return best;
}

/* The definition: whether the concepts label these points in all ways. */
static int shattered(const Table *t, const uint32_t *points, int size)
{
    unsigned char seen[256] = {0};
    int ways = 0;
    for (size_t i = 0; i < t->concepts; i++) {
        unsigned labels = 0;
        for (int j = 0; j < size; j++)
            labels |= (unsigned)t->labels[i * t->points + points[j]] << j;
        ways += !seen[labels]++;
    }
    return ways == 1 << size;
}

/* The first set of `size` points that is shattered, by trying all in lexicographic order; some of
 * them may be chosen already. */
static int first_of(const Table *t, uint32_t *points, int chosen, int size)
{
    if (chosen == size)
        return shattered(t, points, size);
    for (uint32_t x = chosen ? points[chosen - 1] + 1 : 0; x < t->points; x++) {
        points[chosen] = x;
        if (first_of(t, points, chosen + 1, size))
            return 1;
    }
    return 0;
}

static void check_shattered_sets(const Table *t)
{
    for (const Level *const *level = supported_levels(); *level; level++)
        for (int size = 1; size <= (int)t->points; size++) {
            Search s;
            uint32_t wanted[8], found[MOST_SHATTERED];
            begin(&s, *level);
            const int fixed = (int)draw((uint64_t)size);
            for (int i = 0; i < fixed; i++)
                wanted[i] = (uint32_t)i;
            const int exists = first_of(t, wanted, fixed, size);
            const int answer =
                first_shattered(&s, t->columns, t->points, t->concepts, size, fixed, 0, NULL, found);
            require(answer == exists, "a shattered set is missed, or made up");
            require(!exists || !memcmp(wanted, found, (size_t)size * sizeof(uint32_t)),
                    "the shattered set is not the first");
            require(first_shattered(&s, t->columns, t->points, t->concepts, size, fixed, 1, NULL, found)
                        == exists,
                    "any shattered set would do, and is missed, or made up");
            require(!exists || shattered(t, found, size), "a set that is not shattered is told");
            until_failure = 1 + (long)draw(12);
            require(first_shattered(&s, t->columns, t->points, t->concepts, size, fixed, 0, NULL, found)
                            == STOPPED
                        || until_failure > 0,
                    "an allocation failed unnoticed");
            until_failure = -1;
            end(&s);
            require(s.held == 0, "memory is not given back by shattered sets");
        }
}

/* Whether two columns of as many words are equal where there are concepts, or complementary. */
static int alike(const Table *t, size_t j, const size_t *rows, size_t count, const uint64_t *column, int flip)
{
    for (size_t i = 0; i < count; i++)
        if ((t->labels[rows[i] * t->points + j] ^ flip) != (int)(column[i / 64] >> i % 64 & 1))
            return 0;
    return 1;
}

/* What proofs are made of: parts, counts of pairs, look-ahead and arranged rows; disturbed as well. */
static void check_parts(const Table *t)
{
    const size_t n = t->points, width = (t->concepts + 63) / 64;
    uint64_t *mask = calloc(width + 1, 8), *columns = malloc((n * width + 1) * 8);
    size_t *rows = malloc((t->concepts + 1) * sizeof(size_t)), count = 0;
    uint32_t *names = malloc((n + 1) * sizeof(uint32_t)), *tried = malloc((n + 1) * sizeof(uint32_t));
    unsigned char *flips = malloc(n + 1);
    for (size_t i = 0; i < t->concepts; i++)
        if (draw(3)) {
            mask[i / 64] |= (uint64_t)1 << i % 64;
            rows[count++] = i;
        }
    for (int turn = 0; turn < 20; turn++) {
        Search s, other;
        begin(&s, supported_levels()[0]);
        begin(&other, supported_levels()[0]);
        until_failure = turn ? 1 + (long)draw(12) : -1;
        Space v = {t->concepts, n, width, NULL};
        const int left = (v.columns = own_columns(&s, t->columns, n, t->concepts))
                           ? part_of(&s, &v, mask, columns, names, flips)
                           : STOPPED;
        const size_t part_width = (count + 63) / 64;
        for (int j = 0; j < left; j++)
            require(alike(t, names[j], rows, count, columns + (size_t)j * part_width, flips[j]),
                    "a part has another column");
        const uint32_t *both = left == STOPPED ? NULL : all_pairs(&s, &v);
        int enough;
        if (both)
            for (int k = 1; k <= 6; k++) {
                const int found = look_ahead(&s, &v, both, k, draw(2) << 25, tried, flips, &enough);
                require(found == STOPPED || found <= (int)n, "more columns are tried than there are");
                if (found > 0 && enough)
                    require(turn || question(&other, t->columns, n, t->concepts, k) == YES,
                            "look-ahead promises too much");
            }
        require(turn || both, "nothing disturbed counting");
        stop(&s);
        until_failure = -1;
        end(&s);
        end(&other);
        require(s.held == 0, "memory is not given back by parts");
    }
    free(mask);
    free(columns);
    free(rows);
    free(names);
    free(tried);
    free(flips);
}

/* Products of two or three small tables, and what is left of them without a concept. */
static void check_products(Search *shared)
{
    for (int i = 0; i < 150; i++) {
        Table a = random_table(2 + draw(14), 1 + draw(5), 2 + (unsigned)draw(7));
        Table b = random_table(2 + draw(14), 1 + draw(5), 5);
        Table c = i % 3 ? random_table(2 + draw(3), 1 + draw(3), 5) : balls(1, 2, 4);
        int value = definition(&a) + definition(&b);
        Table both = product(&a, &b);
        require(answer_of(&both) == value, "two factors do not add up");
        Table all = product(&both, &c);
        value += definition(&c);
        require(answer_of(&all) == value, "three factors do not add up");
        require(dimension(shared, &all) == value, "products are mixed up");
        if (i % 10 == 0)
            disturbed(&all, dimension, value, 1);
        if (a.concepts * b.concepts < 60)
            require(expected_of(&both) == expected_by_definition(&a) + expected_by_definition(&b),
                    "the expected depths of two factors do not add up");
        if (all.concepts > 1 && all.concepts < 300) {
            all.concepts--;
            require(answer_of(&all) == one_step(&all), "a table near a product is taken for one");
        }
        forget(&a);
        forget(&b);
        forget(&c);
        forget(&both);
        forget(&all);
    }
}

#ifdef X86
LEVEL(pext, AVX2, NO_MOVES, gather_by_pext, mix_by_256) /* what AVX-512 does, on processors without it */
#endif

/* The bits under masks of all densities, moved together one by one; nothing else is written. */
static void check_compress(const Level *level)
{
    for (int i = 0; i < 400; i++) {
        const size_t width = 1 + draw(i % 8 ? 9 : 3 * PART), points = 1 + draw(7), count = 1 + draw(points);
        const uint64_t guard = 0x5a5a5a5a5a5a5a5au;
        uint64_t *columns = malloc(points * width * 8), *mask = malloc(width * 8);
        uint32_t chosen[7];
        size_t ones = 0;
        for (size_t j = 0; j < points * width; j++)
            columns[j] = scrambled(draw(UINT64_MAX));
        for (size_t w = 0; w < width; w++) {
            mask[w] = draw(4) ? scrambled(draw(UINT64_MAX)) : draw(2) ? ~(uint64_t)0 : 0;
            for (size_t sparser = draw(5); sparser; sparser--)
                mask[w] &= scrambled(draw(UINT64_MAX));
            ones += (size_t)__builtin_popcountll(mask[w]);
        }
        for (size_t j = 0; j < count; j++)
            chosen[j] = (uint32_t)draw(points);
        const size_t kept = (ones + 63) / 64;
        uint64_t *found = malloc((count * kept + 1) * 8), *wanted = calloc(count * kept + 1, 8);
        memset(found, 0x5a, (count * kept + 1) * 8);
        wanted[count * kept] = guard;
        for (size_t j = 0; j < count; j++)
            for (size_t from = 0, to = 0; from < 64 * width; from++)
                if (mask[from / 64] >> from % 64 & 1) {
                    const uint64_t bit = columns[chosen[j] * width + from / 64] >> from % 64 & 1;
                    wanted[j * kept + to / 64] |= bit << to % 64;
                    to++;
                }
        level->compress(columns, width, chosen, count, mask, kept, found);
        require(!memcmp(found, wanted, (count * kept + 1) * 8), "bits are not moved together");
        free(columns);
        free(mask);
        free(found);
        free(wanted);
    }
}

/* Bounds by counting are those of the formula, and beyond 2^24 concepts no less and hardly more. */
static void check_hopes(const Level *level)
{
    for (int i = 0; i < 300; i++) {
        const uint32_t m = (uint32_t)(2 + draw((uint64_t)1 << (2 + draw(30)))), here = 1 + (uint32_t)draw(m - 1);
        const size_t points = 1 + draw(20);
        uint32_t both[20], ones[20];
        int32_t found[2];
        Depth wanted[2] = {0, 0};
        for (size_t y = 0; y < points; y++) {
            both[y] = (uint32_t)draw((uint64_t)here + 1);
            ones[y] = both[y] + (uint32_t)draw((uint64_t)m - here + 1);
        }
        level->hopes(both, ones, points, here, m, found);
        for (int side = 0; side < 2; side++) {
            const uint32_t size = side ? here : m - here;
            for (size_t y = 0; y < points; y++) {
                const uint32_t in = side ? both[y] : ones[y] - both[y];
                const Depth split = in && in < size ? above(balanced(in), balanced(size - in)) : 0;
                wanted[side] = split > wanted[side] ? split : wanted[side];
            }
            if (balanced(size) < wanted[side])
                wanted[side] = balanced(size);
            const Depth more = ((Depth)found[side] << (PLACES - HOPE_PLACES)) - wanted[side];
            require(more >= 0 && more <= (m >> 24 ? ONE >> (HOPE_PLACES - 1) : 0), "a bound by counting is wrong");
        }
    }
}

/* Peeling off one concept at a time: 2 - 2^(1 - n) for the n unit vectors and 0, with n - 1 binary
 * places, and no answer where these are too many. */
static void check_deep(void)
{
    for (size_t n = PLACES + 1; n <= PLACES + 2; n++) {
        unsigned char *labels = calloc((n + 1) * n, 1);
        for (size_t i = 0; i < n; i++)
            labels[i * n + i] = 1;
        Table t = distinct(labels, n + 1, n);
        Search s;
        Depth depth;
        begin(&s, supported_levels()[0]);
        const int answer = expected_depth(&s, t.columns, n, n + 1, &depth);
        if (n - 1 <= PLACES)
            require(answer == YES && depth == 2 * ONE - (ONE >> (n - 1)), "the expected depth of points is wrong");
        else
            require(answer == STOPPED && s.stopped == TOO_DEEP, "too many binary places go unnoticed");
        require(s.held == s.used, "a search that is too deep keeps memory");
        end(&s);
        forget(&t);
    }
}

/* Tables of all kinds. */
static void check_all_threads(void)
{
    for (int i = 0; i < 40; i++) {
        Table t = random_table(1 + draw(40), 1 + draw(8), 2 + (unsigned)draw(7));
        check_threads(&t, definition(&t));
        forget(&t);
    }
    for (int i = 0; i < 12; i++) {
        static const size_t shapes[][2] = {{300, 9}, {500, 40}, {260, 140}, {700, 20}};
        const size_t *shape = shapes[i % 4];
        Table a = i % 3 ? random_table(shape[0], shape[1], 5) : balls(3 + (size_t)i % 2, 2, 11);
        Table b = random_table(2 + draw(10), 1 + draw(4), 5);
        Table both = a.points > 40 ? random_table(900, 70, 5) : product(&a, &b);
        Search s;
        begin(&s, supported_levels()[0]);
        check_threads(&a, (int)dimension(&s, &a));
        check_threads(&both, (int)dimension(&s, &both));
        disturbed(&a, dimension, dimension(&s, &a), 2 + i % 3);
        end(&s);
        forget(&a);
        forget(&b);
        forget(&both);
    }
}

int main(int count, char **arguments)
{
    check_all_threads();
    if (count > 1 && !strcmp(arguments[1], "threads")) {
        puts("kernel_harness: threads agree");
        return 0;
    }
    for (const Level *const *level = supported_levels(); *level; level++) {
        check_compress(*level);
        check_hopes(*level);
    }
    check_deep();
#ifdef X86
    if (supported_levels()[0] != &level_portable)
        check_compress(&level_pext);
#endif
    Search shared; /* what it remembers of one table must not be taken for another one's */
    begin(&shared, supported_levels()[0]);
    for (int i = 0; i < 800; i++) {
        Table t = random_table(1 + draw(40), 1 + draw(8), 2 + (unsigned)draw(7));
        const int value = definition(&t);
        require(answer_of(&t) == value, "the answer is not that of the definition");
        shared.normal_from = 200 * draw(2);
        require(dimension(&shared, &t) == value, "tables are mixed up");
        check_shattered_sets(&t);
        check_parts(&t);
        if (t.concepts <= 12) {
            const int64_t depth = expected_by_definition(&t);
            require(expected_of(&t) == depth, "the expected depth is not that of the definition");
            require(expected(&shared, &t) == depth, "expected depths are mixed up");
        }
        forget(&t);
    }
    for (int i = 0; i < 200; i++) {
        Table t = balls(3, 1, 10);
        shared.normal_from = 200 * draw(2);
        require(dimension(&shared, &t) == answer_of(&t), "balls are mixed up");
        forget(&t);
    }
    check_products(&shared);
    end(&shared);
    for (int i = 0; i < 24; i++) {
        static const size_t shapes[][2] = {{300, 9}, {500, 63}, {260, 140}, {700, 20}, {2500, 65}, {20000, 11}};
        const size_t *shape = shapes[i % 6];
        Table t = random_table(shape[0], shape[1], 5);
        disturbed(&t, dimension, answer_of(&t), 1);
        check_parts(&t);
        forget(&t);
    }
    for (int i = 0; i < 8; i++) {
        static const size_t shapes[][2] = {{60, 8}, {40, 70}, {20, 140}, {100, 9}};
        const size_t *shape = shapes[i % 4];
        Table t = random_table(shape[0], shape[1], 5);
        disturbed(&t, expected, expected_of(&t), 1);
        forget(&t);
    }
    for (unsigned radius = 1; radius < 5; radius++) {
        Table t = balls(1, radius, 13);
        require(answer_of(&t) == (int)radius, "a ball has another dimension than its radius");
        forget(&t);
    }
    for (int i = 0; i < 6; i++) {
        Table t = balls(2 + (size_t)i, 2, 11);
        require(answer_of(&t) == one_step(&t), "a table and its sides do not fit together");
        forget(&t);
    }
    puts("kernel_harness: all answers agree");
    return 0;
}
