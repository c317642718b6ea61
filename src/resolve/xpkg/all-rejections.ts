import {type Diagnostic, distinctDiagnostics} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {Budget} from '../solver/solver.js'
import {type RejectedXpkgs, resolveXpkgs, type XpkgResolution} from './resolve-xpkgs.js'
import type {XpkgCatalog, XpkgContent} from './xpkg-catalog.js'
import type {XpkgRequest} from './xpkg-model.js'

/** The maximum number of further rejections: a request with more has one cause. */
const MAX_ROUNDS = 50

/**
 * Completes a rejection: what no version satisfies is left out, and the rest resolved again, until that succeeds or nothing can
 * be left out. So all missing packages are reported at once.
 */
export async function allRejections(
  first: XpkgResolution,
  request: XpkgRequest,
  catalog: XpkgCatalog,
  budget: Budget,
): Promise<XpkgResolution> {
  if (first.kind !== 'rejected') return first
  const left = new LeftOut(request, catalog)
  let whole: RejectedXpkgs = first
  let last: XpkgResolution | undefined = first
  for (let round = 0; round < MAX_ROUNDS && last?.kind === 'rejected' && left.leaveOut(last); round += 1) {
    last = await resolvedOrNone(left, budget)
    if (last?.kind === 'rejected') whole = joined(whole, last)
  }
  return whole
}

function joined(one: RejectedXpkgs, other: RejectedXpkgs): RejectedXpkgs {
  return {
    kind: 'rejected',
    diagnostics: distinctDiagnostics([...one.diagnostics, ...other.diagnostics]),
    // Each resolution names the dependent in an error of its own.
    blocked: [...new Map([...one.blocked, ...other.blocked].map(error => [error.message, error])).values()],
    missing: new Set([...one.missing, ...other.missing]),
  }
}

/** The first rejection stands whatever keeps the rest from being read. */
async function resolvedOrNone(left: LeftOut, budget: Budget): Promise<XpkgResolution | undefined> {
  try {
    return await resolveXpkgs(left.request, left.catalog, budget)
  } catch (error) {
    if (error instanceof CrossplaneError) return undefined
    throw error
  }
}

/** A request without what no version satisfies. */
class LeftOut {
  readonly #request: XpkgRequest
  readonly #catalog: XpkgCatalog
  readonly #packages = new Set<string>()
  readonly #requirements = new Set<string>()

  constructor(request: XpkgRequest, catalog: XpkgCatalog) {
    this.#request = request
    this.#catalog = catalog
  }

  /** Reports whether a rejection has anything to leave out. */
  leaveOut({diagnostics, missing}: RejectedXpkgs): boolean {
    const before = this.#packages.size + this.#requirements.size
    for (const {subject} of diagnostics.filter(isUnsatisfied)) {
      const {package: name = '', requirement = ''} = subject ?? {}
      if (missing.has(name)) this.#packages.add(name)
      else this.#requirements.add(keyOf(name, requirement))
    }
    return this.#packages.size + this.#requirements.size > before
  }

  get request(): XpkgRequest {
    const roots = this.#request.roots.filter(
      ({repository, version, constraint}) => !this.#has(repository, version ?? constraint ?? ''),
    )
    return {...this.#request, roots}
  }

  get catalog(): XpkgCatalog {
    return {
      ...this.#catalog,
      read: async (...version) => this.#without(await this.#catalog.read(...version)),
    }
  }

  #without({crossplane, ...content}: XpkgContent): XpkgContent {
    const isLeftOut = crossplane === undefined || this.#has('Crossplane', crossplane)
    return {
      ...content,
      dependencies: content.dependencies.filter(({package: name, version}) => !this.#has(name, version)),
      ...(isLeftOut ? {} : {crossplane}),
    }
  }

  #has(repository: string, requirement: string): boolean {
    return this.#packages.has(repository) || this.#requirements.has(keyOf(repository, requirement))
  }
}

/** Reports whether a diagnostic is about a requirement that no version satisfies. */
export function isUnsatisfied({rule, subject}: Diagnostic): boolean {
  return rule === 'unresolvable' && subject?.candidates?.length === 0
}

function keyOf(repository: string, requirement: string): string {
  return JSON.stringify([repository, requirement])
}

/** A catalog that reads everything once, failures too: an explanation reads what the resolution has read. */
export function rememberingCatalog(catalog: XpkgCatalog): XpkgCatalog {
  const remembered = new Map<string, Promise<unknown>>()
  const once = <Value>(key: readonly (string | undefined)[], read: () => Promise<Value>) => {
    const text = JSON.stringify(key.map(part => part ?? null))
    const value = remembered.get(text) ?? read()
    remembered.set(text, value)
    return value as Promise<Value>
  }
  return {
    ...catalog,
    tags: repository => once(['tags', repository], () => catalog.tags(repository)),
    read: (...version) => once(['read', ...version], () => catalog.read(...version)),
    digestOf: (...tag) => once(['digest', ...tag], () => catalog.digestOf(...tag)),
  }
}
