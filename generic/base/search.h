/*
 * search.h -- binary search as an expression.
 *
 *      size_t i = tacPast(size_t, 0, holds->count, at, holds->at[at].begin < t);
 *
 * is the first hold that begins at t or later.
 *
 * tacPast is the first place of [from, to) that does not fulfil the condition, or `to`; all that fulfil it come first.
 * `place` is the name by which the condition refers to a place. from <= to.
 */
#ifndef TAC_BASE_SEARCH_H
#define TAC_BASE_SEARCH_H

#define tacPast(type, from, to, place, condition)                  \
    __extension__({                                                \
        type tacLow_ = (type) (from), tacHigh_ = (type) (to);      \
        while (tacLow_ < tacHigh_) {                               \
            const type place = tacLow_ + (tacHigh_ - tacLow_) / 2; \
            if (condition) tacLow_ = place + 1;                    \
            else tacHigh_ = place;                                 \
        }                                                          \
        tacLow_;                                                   \
    })

/* The same for a result that is mostly near `from`, however far `to` is: growing steps, then halving. */
#define tacPastNear(type, from, to, place, condition)                                \
    __extension__({                                                                  \
        type tacNear_ = (type) (from), tacFar_ = (type) (to);                        \
        for (uint64_t tacStep_ = 1; tacStep_ <= tacFar_ - tacNear_; tacStep_ *= 2) { \
            const type place = tacNear_ + (type) tacStep_ - 1;                       \
            if (condition) tacNear_ = place + 1;                                     \
            else {                                                                   \
                tacFar_ = place;                                                     \
                break;                                                               \
            }                                                                        \
        }                                                                            \
        tacPast(type, tacNear_, tacFar_, place, condition);                          \
    })

#endif
