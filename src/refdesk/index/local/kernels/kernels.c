/* The inner loops, as by_words.py, by_vectors.py and by_rows.py have them in numpy. Both give the same: sums are
 * taken in the same order, and no product and sum are fused, so scores are equal to the last bit; cosines differ in
 * the last bits, as those of numpy do from machine to machine. Nothing here allocates, locks or keeps anything. */

#include <float.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORTED __attribute__((visibility("default")))
#define INLINE static inline __attribute__((always_inline))

/* The processors of a kind differ in what they do at once, so a loop over vectors has several versions. */
#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,popcnt")))
#define AVX512 __attribute__((target("avx2,popcnt,avx512f,avx512bw,avx512vl,avx512vpopcntdq")))
#define HAS_AVX2 (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"))
#define HAS_AVX512 (HAS_AVX2 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && \
                    __builtin_cpu_supports("avx512vpopcntdq"))
#define VERSIONS(scope, name, parameters, arguments)                       \
    AVX512 static void name##_avx512 parameters { name##_loop arguments; } \
    AVX2 static void name##_avx2 parameters { name##_loop arguments; }     \
    scope void name parameters                                             \
    {                                                                      \
        if (HAS_AVX512)                                                    \
            name##_avx512 arguments;                                       \
        else if (HAS_AVX2)                                                 \
            name##_avx2 arguments;                                         \
        else                                                               \
            name##_loop arguments;                                         \
    }
#else
#define VERSIONS(scope, name, parameters, arguments) \
    scope void name parameters { name##_loop arguments; }
#endif

/* The checksum of this file as it was compiled, which hatch_build.py gives: no other state of it is called. */
EXPORTED int64_t source(void) { return SOURCE; }

/* The best scores so far, as a heap with the least of them first. */
typedef struct {
    double *scores;
    int64_t held, size;
} Best;

static void add(Best *best, double score)
{
    int64_t at = best->held++;
    for (; at && best->scores[(at - 1) / 2] > score; at = (at - 1) / 2)
        best->scores[at] = best->scores[(at - 1) / 2];
    best->scores[at] = score;
}

static void replace_least(Best *best, double score)
{
    int64_t at = 0;
    for (int64_t below = 1; below < best->size; below = 2 * at + 1) {
        if (below + 1 < best->size && best->scores[below + 1] < best->scores[below])
            below++;
        if (best->scores[below] >= score)
            break;
        best->scores[at] = best->scores[below];
        at = below;
    }
    best->scores[at] = score;
}

/* The least score that is worth finding, after one more was found. */
static double raised(Best *best, double least, double score)
{
    if (best->held < best->size)
        add(best, score);
    else if (best->size && score > best->scores[0])
        replace_least(best, score);
    return best->size && best->held == best->size && best->scores[0] > least ? best->scores[0] : least;
}

enum { WINDOW = 4096, LOOKED_AT = 8 }; /* rows whose sums stay in the nearest cache, and those looked at at once */

/* Living rows with their scores, among them the best ``k`` of those that score ``least`` or more (``k`` 0: all
 * above 0). Gives how many they are, or -1 where a posting is of no row: the file is damaged. ``places`` are
 * where the terms' postings begin, and are moved; ``lengths`` are by words. To pass over the postings of rows that
 * cannot be among the best saves nothing here: to look costs as much as to add. A scrub zeroes counts before rows,
 * and a row is read before its count, so none is added to another row. */
EXPORTED int64_t scored(const uint32_t *rows, const uint16_t *counts, int64_t *places, const int64_t *ends,
                        const double *weights, int64_t terms, const uint32_t *words, const double *lengths,
                        const uint8_t *dead, int64_t size, int64_t k, double least, double *best_scores,
                        int64_t *found, double *scores)
{
    Best best = {best_scores, 0, k};
    int64_t count = 0;
    least = least > DBL_MIN ? least : DBL_MIN; /* a smaller one is 0 to a thread that has denormals off */
    for (int64_t first = 0; first < size; first += WINDOW) {
        int64_t behind = size - first < WINDOW ? size : first + WINDOW;
        double sums[WINDOW] = {0};
        for (int64_t term = 0; term < terms; term++) {
            int64_t at = places[term];
            for (; at < ends[term]; at++) {
                int64_t row = __atomic_load_n(rows + at, __ATOMIC_ACQUIRE);
                if (row >= behind)
                    break;
                if (row >= first) {
                    double occurs = counts[at];
                    sums[row - first] += weights[term] * occurs / (occurs + lengths[words[row]]);
                }
            }
            places[term] = at;
        }
        for (int64_t some = 0; some < behind - first; some += LOOKED_AT) {
            int any = 0;
            for (int i = 0; i < LOOKED_AT; i++)
                any |= sums[some + i] >= least;
            for (int64_t i = some; any && i < some + LOOKED_AT && i < behind - first; i++) {
                if (sums[i] >= least && !(dead && dead[first + i])) {
                    found[count] = first + i;
                    scores[count++] = sums[i];
                    least = raised(&best, least, sums[i]);
                }
            }
        }
    }
    for (int64_t term = 0; term < terms; term++)
        if (places[term] < ends[term])
            return -1;
    return count;
}

enum { AT_ONCE = 32 };

INLINE uint64_t differing_bits(uint64_t signs, uint64_t asked, uint64_t large)
{
    uint64_t different = signs ^ asked;
    return (uint64_t)__builtin_popcountll(different) + 2 * (uint64_t)__builtin_popcountll(different & large);
}

INLINE void differing_loop(const uint64_t *signs, int64_t words, int64_t vectors, const uint64_t *asked,
                           const uint64_t *large, uint16_t *found)
{
    int64_t first = 0;
    for (; first + AT_ONCE <= vectors; first += AT_ONCE) {
        uint64_t bits[AT_ONCE] = {0};
        for (int64_t word = 0; word < words; word++)
            for (int i = 0; i < AT_ONCE; i++)
                bits[i] += differing_bits(signs[word * vectors + first + i], asked[word], large[word]);
        for (int i = 0; i < AT_ONCE; i++)
            found[first + i] = (uint16_t)bits[i];
    }
    for (; first < vectors; first++) {
        uint64_t bits = 0;
        for (int64_t word = 0; word < words; word++)
            bits += differing_bits(signs[word * vectors + first], asked[word], large[word]);
        found[first] = (uint16_t)bits;
    }
}
VERSIONS(static, differing,
         (const uint64_t *signs, int64_t words, int64_t vectors, const uint64_t *asked, const uint64_t *large,
          uint16_t *found),
         (signs, words, vectors, asked, large, found))

enum { SUMS = 4, CHOSEN_AT_ONCE = 8 }; /* one sum of how many differ in so much would wait for itself */

/* Gives how many ``places`` were chosen, at least ``most`` of the eligible and all that differ as little. They differ
 * in less than ``levels``. ``differing_in`` has room for each vector and CHOSEN_AT_ONCE more, ``held`` are SUMS times
 * ``levels`` + 1 zeros, the last for what is not eligible. */
EXPORTED int64_t proposed(const uint64_t *signs, int64_t words, int64_t vectors, const uint64_t *asked,
                          const uint64_t *large, const uint8_t *eligible, int64_t most, int64_t levels,
                          uint16_t *differing_in, int32_t *held, int64_t *places)
{
    differing(signs, words, vectors, asked, large, differing_in);
    for (int64_t i = 0; eligible && i < vectors; i++)
        if (!eligible[i])
            differing_in[i] = (uint16_t)levels;
    for (int i = 0; i < CHOSEN_AT_ONCE; i++)
        differing_in[vectors + i] = (uint16_t)levels;
    for (int64_t i = 0; i < vectors; i += SUMS)
        for (int sum = 0; sum < SUMS; sum++)
            held[sum * (levels + 1) + differing_in[i + sum]]++;
    uint16_t upto = 0;
    for (int64_t near = 0; upto + 1 < levels; upto++) {
        for (int sum = 0; sum < SUMS; sum++)
            near += held[sum * (levels + 1) + upto];
        if (near >= most)
            break;
    }
    int64_t count = 0;
    for (int64_t first = 0; first < vectors; first += CHOSEN_AT_ONCE) {
        int any = 0;
        for (int i = 0; i < CHOSEN_AT_ONCE; i++)
            any |= differing_in[first + i] <= upto;
        for (int i = 0; any && i < CHOSEN_AT_ONCE; i++)
            if (differing_in[first + i] <= upto)
                places[count++] = first + i;
    }
    return count;
}

enum { LANES = 32, AHEAD = 8, LINE = 64 };

/* Of the rows at some places, or of the first where ``places`` are none, with a unit vector. Sums are taken in this
 * order on every processor. */
INLINE void cosines_loop(const int8_t *rows, const float *lengths, int64_t dimensions, const int64_t *places,
                         int64_t count, const float *unit, float *found)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t place = places ? places[i] : i;
        const int8_t *row = rows + place * dimensions;
        if (places && i + AHEAD < count) {
            __builtin_prefetch(lengths + places[i + AHEAD]);
            for (int64_t at = 0; at < dimensions; at += LINE)
                __builtin_prefetch(rows + places[i + AHEAD] * dimensions + at);
        }
        float sums[LANES] = {0};
        int64_t at = 0;
        for (; at + LANES <= dimensions; at += LANES)
            for (int j = 0; j < LANES; j++)
                sums[j] += (float)row[at + j] * unit[at + j];
        for (int j = 0; at < dimensions; at++, j++)
            sums[j] += (float)row[at] * unit[at];
        for (int half = LANES / 2; half; half /= 2)
            for (int j = 0; j < half; j++)
                sums[j] += sums[j + half];
        found[i] = sums[0] / lengths[place];
    }
}
VERSIONS(EXPORTED, cosines,
         (const int8_t *rows, const float *lengths, int64_t dimensions, const int64_t *places, int64_t count,
          const float *unit, float *found),
         (rows, lengths, dimensions, places, count, unit, found))

enum { POSTINGS_AT_ONCE = 64 };

/* Of some postings those of ``wanted`` rows, none of which is below ``first`` or above ``last``; ``count`` is how
 * many. Few postings have a row between the two, so several are passed over together. */
INLINE void postings_of_loop(const uint32_t *rows, int64_t postings, uint32_t first, uint32_t last,
                             const uint8_t *wanted, int64_t *found, int64_t *count)
{
    uint32_t span = last - first; /* a row below the first wraps, and is above it */
    *count = 0;
    for (int64_t some = 0; some < postings; some += POSTINGS_AT_ONCE) {
        int64_t held = postings - some < POSTINGS_AT_ONCE ? postings - some : POSTINGS_AT_ONCE;
        int any = held < POSTINGS_AT_ONCE;
        if (!any)
            for (int i = 0; i < POSTINGS_AT_ONCE; i++)
                any |= rows[some + i] - first <= span;
        for (int64_t i = some; any && i < some + held; i++)
            if (rows[i] - first <= span && wanted[rows[i]])
                found[(*count)++] = i;
    }
}
VERSIONS(EXPORTED, postings_of,
         (const uint32_t *rows, int64_t postings, uint32_t first, uint32_t last, const uint8_t *wanted,
          int64_t *found, int64_t *count),
         (rows, postings, first, last, wanted, found, count))
