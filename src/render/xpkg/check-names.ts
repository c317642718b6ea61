import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {derivedName} from '../../xpkg/package-name.js'
import type {Closure, ClosurePackage} from './closure.js'
import {isSkipped, type XpkgSettings} from './xpkg-settings.js'

/**
 * Throws `conflict` for a set with which Crossplane would request a package twice, or not find it: where a package requires one that it
 * would request under another name, or that only one of both leaves to its resolver. Two requests cannot have one name.
 */
export function checkNames({packages, names}: Closure, settings: XpkgSettings): void {
  const byName = new Map<string, ClosurePackage>()
  const diagnostics = packages.flatMap(selected => {
    const {kind, repository} = selected
    const name = names.get(repository) ?? ''
    const first = byName.get(`${kind} ${name}`)
    byName.set(`${kind} ${name}`, first ?? selected)
    const requirers = packages.filter(
      one => one !== selected && one.dependencies.some(dependency => dependency.package === repository),
    )
    return [
      ...(first === undefined ? [] : [sameName(selected, first, name)]),
      ...requirers.flatMap(by => unsafe(selected, by, name, settings)),
    ]
  })
  const [one] = diagnostics
  if (one === undefined) return
  const [wrong] = diagnostics.filter(({rule}) => rule !== 'xpkg-same-name')
  throw new CrossplaneError('conflict', 'cannot render the packages: their requests would not fit together', {
    diagnostics,
    suggestions: [
      wrong === undefined ? 'Give one of them another name.' : ADVICE[wrong.rule as keyof typeof ADVICE],
    ],
  })
}

const ADVICE = {
  'xpkg-required-name':
    'Set xpkg.resolver: off in the declaration, with which packages can have any names, or leave out the name.',
  'xpkg-mixed-resolver':
    'Pin packages that require each other in the same way, or set xpkg.resolver: off in the declaration.',
} as const

function sameName({repository, kind}: ClosurePackage, first: ClosurePackage, name: string): Diagnostic {
  const message = `${repository} and ${first.repository} are both requested as ${kind} ${name}`
  return {severity: 'error', rule: 'xpkg-same-name', message, subject: {package: repository}}
}

function unsafe(
  {repository}: ClosurePackage,
  by: ClosurePackage,
  name: string,
  settings: XpkgSettings,
): readonly Diagnostic[] {
  const [own, others] = [repository, by.repository].map(one => isSkipped(one, settings))
  const about = (rule: keyof typeof ADVICE, message: string): readonly Diagnostic[] => [
    {severity: 'error', rule, message, subject: {package: repository}},
  ]
  if (own !== others) {
    const skipped = own === true ? repository : by.repository
    const message = `${by.repository} requires ${repository}, and Crossplane's resolver would see only one of them: it skips ${skipped}`
    return about('xpkg-mixed-resolver', message)
  }
  const derived = derivedName(repository)
  if (own === true || name === derived) return []
  const message = `${repository} is requested as ${name}, but ${by.repository} requires it: at an upgrade, Crossplane would request it once more, as ${derived}`
  return about('xpkg-required-name', message)
}
