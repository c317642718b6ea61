import type {Lock} from '../../declaration/lock.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import {CrossplaneError} from '../../errors.js'
import type {InstallOptions} from '../../plan/cluster/plan-install.js'
import type {RequestPolicy} from '../request/request-policy.js'
import type {LockImpact} from './impact-gate.js'
import {withContent} from '../request/input-files.js'
import type {RequestPorts} from '../request/read-request.js'
import type {ResolutionSettings} from '../request/request-query.js'

/** A lock that is planned, and the declaration that it is for. */
interface JudgedLock {
  readonly declaration: {readonly name: string; readonly isSplit: boolean}
  readonly settings: ResolutionSettings
  /** The declaration. */
  readonly text: string
  readonly lockBefore: Lock | undefined
  readonly lockAfter: Lock
}

/** What is said of the effects on objects. */
interface ImpactChoice {
  readonly acceptsImpact?: boolean
  /** Whether it is also said of the objects of a cluster, so that the declaration need not name any. */
  readonly isAlsoForCluster?: boolean
}

/** Judges what a lock does to the objects that the declaration names; it can say that this is accepted. */
export async function judgedLock(
  {acceptsImpact = false, isAlsoForCluster = false}: ImpactChoice,
  {declaration, settings, text, lockBefore, lockAfter}: JudgedLock,
  ports: RequestPorts,
): Promise<{readonly lock: Lock; readonly impact?: LockImpact}> {
  const {usage} = readDeclaration(declaration.name, Buffer.from(text))
  if (usage === undefined) {
    if (acceptsImpact && !isAlsoForCluster) throw withoutObjects(declaration.name)
    return {lock: lockAfter}
  }
  // Loaded here: few declarations name objects.
  const {lockImpact, withAccepted} = await import('./impact-gate.js')
  const inputs = withContent(ports.inputs, declaration.name, text, declaration.isSplit)
  const request = {kind: 'declaration', file: declaration.name, settings} as const
  const change = {before: lockBefore, after: lockAfter, request}
  const impact = await lockImpact(change, {...ports, inputs})
  if (impact === undefined) return {lock: lockAfter}
  return acceptsImpact
    ? {lock: withAccepted(lockAfter, impact), impact: asAccepted(impact)}
    : {lock: lockAfter, impact}
}

/** Throws `policy-refused` for effects on the objects of a cluster that a user accepts, and a policy does not. */
export async function expectAcceptance(
  {acceptsImpact}: Pick<InstallOptions, 'acceptsImpact'>,
  teamsOf: () => Promise<RequestPolicy['teams']> | RequestPolicy['teams'],
): Promise<void> {
  if (acceptsImpact !== true) return
  const teams = await teamsOf()
  const {expectAcceptable} = await import('./impact-gate.js')
  expectAcceptable(teams)
}

function withoutObjects(name: string): CrossplaneError {
  return new CrossplaneError('usage', `--accept-impact requires usage.objects in ${name}`, {
    suggestions: ['Leave out --accept-impact.'],
  })
}

function asAccepted({open, accepted, ...impact}: LockImpact): LockImpact {
  return {...impact, open: [], accepted: [...accepted, ...open]}
}
