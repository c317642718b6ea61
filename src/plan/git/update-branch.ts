/** The start of the names of all branches of updates. */
const UPDATE_PREFIX = 'crossplane-update/'

/** Returns the start of the branches that update a home for a branch: each of both has its own. */
export function updatePrefix(target: string, folder: string): string {
  return `${UPDATE_PREFIX}${segment(target)}/${folder === '' ? '+' : segment(folder)}/`
}

/** The start of the names of all branches of promotions. */
const PROMOTION_PREFIX = 'crossplane-promote/'

/** Returns the start of the branches that promote packages to any home for a branch. */
export function promotionPrefix(target: string): string {
  return `${PROMOTION_PREFIX}${segment(target)}/`
}

/** Returns the branch that promotes packages to a home, whichever home they come from: a later promotion takes its place. */
export function promotionBranch(target: string, folder: string): string {
  return `${PROMOTION_PREFIX}${updatePrefix(target, folder).slice(UPDATE_PREFIX.length)}packages`
}

/** Reports whether a branch is one of an update or a promotion. */
export function isUpdateBranch(branch: string): boolean {
  return branch.startsWith(UPDATE_PREFIX) || branch.startsWith(PROMOTION_PREFIX)
}

/** Returns the branch of a group of packages. Different groups have different branches, whatever their names are. */
export function updateBranch(prefix: string, group: string): string {
  return `${prefix}${segment(group)}`
}

/** Writes any text as one segment of a reference of Git. */
function segment(text: string): string {
  const characters = [...text].map((character, index, all) => {
    if (character === '/') return '+'
    if (/[\w-]/.test(character)) return character
    const isPlainDot = character === '.' && index > 0 && index < all.length - 1 && all[index - 1] !== '.'
    return isPlainDot && all[index - 1] !== '/' ? character : encoded(character)
  })
  return characters.join('').replace(/\.lock$/, `${encoded('.')}lock`)
}

function encoded(character: string): string {
  return [...Buffer.from(character)].map(byte => `=${byte.toString(16).padStart(2, '0')}`).join('')
}
