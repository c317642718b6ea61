/** Formats a URL for traces and messages: without parts that can contain secrets, and shortened. */
export function shownUrl({origin, pathname}: URL): string {
  const text = `${origin}${pathname}`
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
