/** Raised with every release that renders the same packages otherwise, so that a lock says which rendering it is of. */
export const RENDER_VERSION = 1
