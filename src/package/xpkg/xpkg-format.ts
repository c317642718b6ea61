import {lockedName} from '../../declaration/lock.js'
import type {CrossplaneError} from '../../errors.js'
import {present} from '../../present.js'
import type {PackageFormat, RecognizedRequest} from '../format.js'
import {notSelected} from '../not-selected.js'
import type {OutdatedReport, WhyReport} from '../reports.js'
import type {HeldLock} from '../../resolve/lock/held-lock.js'
import {writeYaml} from '../../yaml/write-yaml.js'
import {requestedClosure} from './requested-closure.js'

/** Packages of a current Crossplane. What one stage needs is loaded for it. */
export const XPKG_FORMAT: PackageFormat = {
  tree: async request => {
    const {xpkgTree} = await import('./tree.js')
    return {kind: 'XpkgTree', ...xpkgTree(await requestedClosure(request))}
  },
  why: explained,
  selected: async request => {
    const {locked} = await requestedClosure(request)
    return locked.map(({repository, tag, digest}) => ({identity: repository, ...present({tag, digest})}))
  },
  lock: async (...query) => await (await import('./lock.js')).lockXpkgs(...query),
  instances: ({xpkgs = []}) =>
    xpkgs.map(({repository, kind, tag, digest, name}) => ({
      kind,
      name: lockedName({repository, ...present({name})}),
      identity: repository,
      version: tag ?? digest ?? '',
      ...present({tag, digest}),
    })),
  outdated: compared,
  render: async (request, {settings}) =>
    await (await import('./render.js')).renderRequested(request, settings),
  renderPackage: async (located, query, {settings}, ports) => ({
    xpkgs: await (await import('./render.js')).renderRead(located, query, settings, ports),
  }),
  layOut: async ({xpkgs}, tree) => {
    const {layOutXpkgs} = await import('../../plan/layout/xpkg/lay-out-xpkgs.js')
    return xpkgs === undefined ? [] : layOutXpkgs(xpkgs, tree, object => writeYaml([object]))
  },
  inspect: async located => (await import('./inspect.js')).inspectRead(located),
  judged: async (...query) => await (await import('./judge-package.js')).judgedRead(...query),
  surface: async (located, options) =>
    await (await import('./cached-surface.js')).cachedSurface(located, options),
  describe: async (located, _ports, cache) =>
    await (await import('./describe.js')).describeXpkg(located, cache),
  lint: async (...query) => await (await import('./lint.js')).lintRead(...query),
  build: async (...query) => await (await import('./build.js')).buildXpkg(...query),
}

async function explained(what: string, request: RecognizedRequest): Promise<WhyReport | CrossplaneError> {
  const {nameableXpkg, xpkgWhy} = await import('./why.js')
  const closure = await requestedClosure(request)
  return (
    xpkgWhy(what, closure, request.policy) ??
    notSelected(
      what,
      closure.packages.map(one => nameableXpkg(one, closure.names)),
    )
  )
}

async function compared(request: RecognizedRequest, lock: HeldLock): Promise<OutdatedReport> {
  const {xpkgOutdated} = await import('./outdated.js')
  const {policy} = request
  const free = {...policy, lock: {...lock, upgraded: 'all' as const, otherwise: 'take' as const}}
  const closure = await requestedClosure({...request, policy: free}, {listsPinned: true})
  const locked = lock.lock.xpkgs ?? []
  const packages = xpkgOutdated(locked, closure, policy.coreVersion)
  return {packages, current: locked.length - packages.length, notes: []}
}
