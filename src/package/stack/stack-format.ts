import {present} from '../../present.js'
import type {PackageFormat, RecognizedRequest} from '../format.js'
import {writeYaml} from '../../yaml/write-yaml.js'
import type {RequestedInstall} from '../../render/requested-install.js'

/** Packages of Crossplane up to v0.12. What one stage needs is loaded for it. */
export const STACK_FORMAT: PackageFormat = {
  tree: async (request, depth) => {
    const {tree} = await import('./tree.js')
    return {
      kind: 'DependencyTree',
      ...(await tree(installsOf(request), request.policy, depth, request.packages)),
    }
  },
  why: async (what, request) => {
    const {why} = await import('./why.js')
    return await why(what, installsOf(request), request.policy, request.packages)
  },
  selected: async request => {
    const {selectedVersions} = await import('./selected.js')
    return await selectedVersions(installsOf(request), request.policy, request.packages)
  },
  instances: ({packages}) =>
    packages.flatMap(({identity, tag, digest, version, installs}) =>
      installs.map(({namespace, name}) => ({namespace, name, identity, tag, version, ...present({digest})})),
    ),
  lock: async (request, heldLock) => {
    const {lockPackages} = await import('./lock.js')
    const policy = {...request.policy, ...present({lock: heldLock})}
    const {lock: entries, ...report} = await lockPackages(installsOf(request), policy, request.packages)
    return {...report, entries}
  },
  outdated: async request => {
    const {outdated} = await import('./outdated.js')
    return await outdated(installsOf(request), request.policy, request.packages)
  },
  render: async (request, {choices}) => {
    const {renderRead} = await import('./render.js')
    const stacks = await renderRead({...request, requested: installsOf(request)}, choices)
    return {sets: {stacks}, identities: stacks.identities ?? []}
  },
  renderPackage: async (located, query, {choices}, ports) => {
    const {render} = await import('./render.js')
    return {stacks: await render({...query, located}, choices, ports)}
  },
  layOut: async ({stacks}, tree) => {
    if (stacks === undefined) return []
    const {layOut} = await import('../../plan/layout/lay-out.js')
    const files = layOut(stacks, tree, object => writeYaml([object]))
    if (stacks.declaration?.isSplit !== true) return files
    const {filesOfInstalls} = await import('../../plan/folder/files-of-installs.js')
    return filesOfInstalls(files, stacks)
  },
  inspect: async (...query) => await (await import('./inspect.js')).inspectStack(...query),
  judged: async located => (await import('./judge-package.js')).judgedStack(located),
  surface: async (located, options) => (await import('./surface.js')).surfaceOfStack(located, options),
  describe: async (located, ports) => (await import('./describe.js')).describeStack(located, ports),
  lint: async (...query) => await (await import('./lint.js')).lintStack(...query),
  build: async (...query) => await (await import('./build.js')).buildStack(...query),
}

function installsOf({parts}: RecognizedRequest): readonly RequestedInstall[] {
  return parts.stack.map(({requested}) => requested)
}
