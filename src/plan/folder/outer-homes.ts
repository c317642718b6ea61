import {CrossplaneError} from '../../errors.js'
import {DECLARATION_FILE} from '../../declaration/declaration.js'
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

/** Throws `git-refused` for a new home whose tree would contain another home: a controller would apply its declaration. */
export function expectNoHomeInTree({declaration, tree}: Home, paths: readonly string[]): void {
  const inner = paths.find(path => path.startsWith(`${tree}/`) && path.split('/').at(-1) === DECLARATION_FILE)
  if (inner === undefined) return
  const message = `cannot create ${declaration}: its rendered folder would be ${tree}, which has ${inner}, the declaration of another home`
  throw new CrossplaneError('git-refused', message, {
    suggestions: ['Pass --path with another folder.'],
  })
}
