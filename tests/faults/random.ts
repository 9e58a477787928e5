/** Pseudo-random choices, the same in every run. */
export interface Random {
  /** An integer from 0 to `limit` - 1. */
  below(limit: number): number
  pick<Item>(items: readonly [Item, ...Item[]]): Item
  shuffled<Item>(items: readonly Item[]): Item[]
}

/** A linear congruential generator. Uses the upper bits, because the lower ones repeat soon. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return {
    below,
    pick: (items) => items[below(items.length)] ?? items[0],
    shuffled: (items) =>
      items
        .map((item) => ({ item, rank: below(2 ** 30) }))
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ item }) => item),
  }
}
