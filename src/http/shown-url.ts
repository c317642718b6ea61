/** A URL as traces and messages may show it: without the parts that carry secrets, and not endless. */
export function shownUrl({origin, pathname}: URL): string {
  const text = `${origin}${pathname}`
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
