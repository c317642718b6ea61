/** For renders that look nothing up in an index. */
export function noIndex(name: string): Promise<never> {
  return Promise.reject(new Error(`nobody meant to open the index ${name}`))
}
