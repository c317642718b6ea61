import {
  type CrossplaneError,
  type HomePackage,
  type HomeState,
  type LivePackage,
  present,
} from 'kubectl-crossplane/plugin'

/** A home, and what was read of it and its cluster. */
export interface FleetHome {
  readonly path: string
  readonly context?: string
  readonly packages: readonly HomePackage[]
  /** The lock that the packages are of; absent if the home could not be read. */
  readonly lock?: HomeState['lock']
  /** Whether what the last commit has is known. */
  readonly isInGit?: boolean
  /** Why it is not known in a repository. */
  readonly gitError?: CrossplaneError
  /** Absent if no cluster is read. */
  readonly live?: readonly LivePackage[]
  /** Why the home or its cluster could not be read. */
  readonly error?: CrossplaneError
}

/** A package of a home. */
export interface FleetRow extends Omit<HomePackage, 'isOutdated'> {
  readonly home: string
  readonly context?: string
  readonly live?: string
  readonly state?: LivePackage['state']
  /** Since when it is healthy with its revision, in milliseconds since the epoch. */
  readonly since?: number
  /** Why the package is not everywhere as it is locked; absent if it is. */
  readonly waits?: string
}

/** Joins the sides of each package of each home. */
export function fleetRows(homes: readonly FleetHome[]): readonly FleetRow[] {
  return homes.flatMap(home => home.packages.map(one => rowOf(one, home)))
}

function rowOf(own: HomePackage, home: FleetHome): FleetRow {
  const {path, context} = home
  const {isOutdated: _judged, ...shown} = own
  const {running, waits} = worst(own, home)
  return {
    ...shown,
    home: path,
    ...present({
      context,
      live: running?.version,
      state: running?.state,
      since: running?.since,
      waits,
    }),
  }
}

/** Of several installs of a package, one that waits stands for all; then the one that became healthy last. */
function worst(own: HomePackage, {live, isInGit = false}: FleetHome) {
  const waiting = waitsInFiles(own) ?? (isInGit ? waitsInGit(own) : undefined)
  const installs = live?.filter(one => one.package === own.package) ?? []
  const judged = (installs.length === 0 ? [undefined] : installs).map(running => ({
    running,
    waits: waiting ?? (live === undefined ? undefined : waitsInCluster(own, running)),
  }))
  const age = ({running}: (typeof judged)[number]) => running?.since ?? Infinity
  const youngest = judged.reduce((one, other) => (age(other) > age(one) ? other : one))
  return judged.find(({waits}) => waits !== undefined) ?? youngest
}

function waitsInFiles({declared, locked, isOutdated, rendered}: HomePackage): string | undefined {
  if (locked === undefined) return 'not locked'
  if (isOutdated === true) return `the lock has ${locked}, and the declaration says ${declared ?? 'none'}`
  if (rendered === undefined) return 'not rendered'
  return rendered === locked ? undefined : `rendered is ${rendered}`
}

function waitsInGit({locked, inGit}: HomePackage): string | undefined {
  if (inGit === undefined) return 'not committed'
  return inGit === locked ? undefined : `the last commit has ${inGit}`
}

function waitsInCluster({locked}: HomePackage, running: LivePackage | undefined): string | undefined {
  if (running === undefined) return 'not in the cluster yet'
  if (running.version !== locked) return `the cluster has ${running.version}`
  if (running.isLockedContent === false) return 'the cluster has other content than the lock'
  if (running.state === 'healthy') return undefined
  return `${running.state}${running.reason === undefined ? '' : `: ${running.reason}`}`
}
