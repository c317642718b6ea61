/** The number of objects, of any content, that fit into the response to a request. */
export const PAGE_SIZE = 50
