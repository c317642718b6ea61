import type {Checkout} from '../../commit/checkout.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import {type HomePlace, treeIn} from '../../plan/folder/home.js'
import type {CheckoutState} from '../../plan/git/checkout-snapshot.js'
import type {HomeFiles} from './plan-home.js'

/** The ports for reading a home. */
export interface HomePorts {
  readonly checkout: Checkout
  /** Makes a folder part of the working tree; absent where it is the user's. */
  readonly include?: (folder: string) => Promise<void>
}

/**
 * Returns the declaration and the lock as HEAD has them, whatever an interrupted run has left, with the folder of the
 * tree, which is part of the working tree then. Throws `input-invalid`.
 */
export async function committedHome(
  place: HomePlace,
  {root}: CheckoutState,
  {checkout, include}: HomePorts,
): Promise<HomeFiles> {
  const fileAt = async (path: string) => ({name: `${root}/${path}`, bytes: await checkout.committed(path)})
  const declaration = await fileAt(place.declaration)
  const tree = treeIn(place, outputOf(declaration))
  await include?.(tree)
  return {declaration, lock: await fileAt(place.lock), tree}
}

function outputOf({name, bytes}: HomeFiles['declaration']): string | undefined {
  return bytes === undefined ? undefined : readDeclaration(name, bytes).tree.output
}
