import {createHash} from 'node:crypto'
import type {AcceptedImpact} from '../../declaration/lock.js'
import {grouped} from '../../grouped.js'
import {present} from '../../present.js'
import type {ObjectReference, UsageFinding} from './compare-usage.js'
import type {Verdict} from './verdict.js'

/** The verdicts that stop a change, unless they are accepted. */
const STOPPING_VERDICTS: readonly Verdict[] = ['breaks', 'lost', 'unserved']

/** The digests of packages, or their tags. */
type Versions = ReadonlyMap<string, string>

/** Accepted effects, by the repository of the package. */
export type AcceptedImpacts = Readonly<Record<string, AcceptedImpact>>

/** Returns the verdicts that stop a change. */
export function stoppingFindings(findings: readonly UsageFinding[]): readonly UsageFinding[] {
  return findings.filter(isStopping)
}

/** Reports whether a verdict stops a change. */
export function isStopping({verdict}: Pick<UsageFinding, 'verdict'>): boolean {
  return STOPPING_VERDICTS.includes(verdict)
}

/**
 * Returns what accepting findings writes to a lock. The hash is that of the digests and of what happens to which field of which
 * object: no line and no message, so that neither another line of a file nor a release of this program makes it another one.
 */
export function acceptedImpacts(
  findings: readonly UsageFinding[],
  before: Versions,
  after: Versions,
): AcceptedImpacts {
  const byPackage = grouped(findings, ({package: name = ''}) => name)
  return Object.fromEntries(
    [...byPackage].map(([name, own]) => {
      const texts = textsOf(own)
      const versions = present({from: before.get(name), to: after.get(name)})
      const text = [name, versions.from ?? '', versions.to ?? '', ...texts].join('\n')
      const hash = `sha256:${createHash('sha256').update(text).digest('hex')}`
      return [name, {...versions, findings: texts.length, hash}]
    }),
  )
}

/** Objects with a generated name can have the same text: each one counts. */
function textsOf(findings: readonly UsageFinding[]): readonly string[] {
  const objects = new Map<UsageFinding['object'], Set<string>>()
  for (const finding of findings) {
    const texts = objects.get(finding.object) ?? new Set()
    objects.set(finding.object, texts.add(effectText(finding)))
  }
  return [...objects.values()].flatMap(texts => [...texts]).sort()
}

/** Returns what happens to which field of which object; of a Composition, with the composite resources that show it. */
export function effectText({verdict, object, file, path, composed, composites}: UsageFinding): string {
  const concerned = composed === undefined ? [] : [composed.apiVersion, composed.kind]
  const shown =
    composites === undefined
      ? []
      : [
          composites
            .map(namesOf)
            .map(texts => texts.join(' '))
            .sort(),
        ]
  return JSON.stringify([verdict, ...namesOf(object), file, path, ...concerned, ...shown])
}

function namesOf({apiVersion = '', kind = '', namespace = '', name = ''}: Partial<ObjectReference> = {}) {
  return [apiVersion, kind, namespace, name]
}

/** Returns the packages whose findings are those that were accepted. */
export function acceptedPackages(
  impacts: AcceptedImpacts,
  accepted: AcceptedImpacts = {},
): ReadonlySet<string> {
  return new Set(
    Object.entries(impacts).flatMap(([name, {hash}]) => (accepted[name]?.hash === hash ? [name] : [])),
  )
}
