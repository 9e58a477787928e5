import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Resolves as soon as no change of the list of this key is under way. */
export async function whenSettled(client: QueryClient, key: QueryKey): Promise<void> {
  const changes = client.getMutationCache()
  const underWay = () => changes.findAll({ mutationKey: key, exact: true, status: 'pending' }).length > 0
  if (!underWay()) return
  await new Promise<void>((resolve) => {
    const stop = changes.subscribe(() => {
      if (underWay()) return
      stop()
      resolve()
    })
  })
}
