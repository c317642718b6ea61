import {CrossplaneError} from '../../errors.js'
import {type Home, homeIn, type HomePlace} from './home.js'

/** Returns the homes that can exist in the parent folders of a home, outer ones first. */
export function outerHomes({folder}: Pick<HomePlace, 'folder'>): readonly HomePlace[] {
  const segments = folder.split('/').filter(text => text !== '')
  return segments.map((_segment, depth) => homeIn(segments.slice(0, depth).join('/')))
}

/** Throws `git-refused` for a home in the tree of another home, whose controller would apply the declaration. */
export function expectOutsideTree({folder}: HomePlace, {declaration, tree}: Home): void {
  if (!`${folder}/`.startsWith(`${tree}/`)) return
  const message = `cannot use ${folder} as a home: it is in ${tree}, the rendered folder of ${declaration}`
  throw new CrossplaneError('git-refused', message, {
    suggestions: [`Pass --path with a folder outside of ${tree}.`],
  })
}
