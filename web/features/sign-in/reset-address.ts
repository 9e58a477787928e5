/**
 * Where the link of a reset mail leads: to this very address on a developer's machine, else to the public site, so
 * that a mail asked for behind another name still leads to the right place.
 */
export function resetAddress(
  here: { hostname: string; origin: string },
  siteUrl: string,
  path: string,
): string {
  const isLocal = here.hostname === 'localhost' || here.hostname.endsWith('.localhost')
  return `${isLocal ? here.origin : siteUrl}${path}`
}
