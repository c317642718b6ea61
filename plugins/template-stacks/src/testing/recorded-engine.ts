import {CrossplaneError} from 'kubectl-crossplane/plugin'
import type {Engine, OutputOf, RenderRequest, RunBranch} from '../engines/engine.js'

/** What renders of an engine used so far. */
export interface RecordedRuns {
  /** The templates that printed something, by path. */
  readonly printed: ReadonlySet<string>
  /** The branches that ran, as `path id`. */
  readonly branches: ReadonlySet<string>
}

/** An engine that records which templates and branches its renders use. The objects are the same. */
export function recordedEngine(engine: Engine): {readonly engine: Engine; readonly runs: RecordedRuns} {
  const printed = new Set<string>()
  const branches = new Set<string>()
  const record = ({path, id}: RunBranch) => branches.add(branchKey(path, id))
  return {
    runs: {printed, branches},
    engine: {
      inspect: async request => await engine.inspect(request),
      close: async () => {
        await engine.close()
      },
      render: async <R extends RenderRequest>(request: R): Promise<OutputOf<R>> => {
        if (!isRecorded(request)) return await engine.render(request)
        const output = await attemptTrace(engine, request)
        if (output === undefined) return await engine.render(request)
        for (const path of printedBy(request, output)) printed.add(path)
        if ('branches' in output) output.branches?.forEach(record)
        return output
      },
    },
  }
}

/** Undefined if the trace exceeds a limit, which it reaches before rendering does; the coverage then lacks this render. */
async function attemptTrace<R extends RenderRequest>(
  engine: Engine,
  request: R,
): Promise<OutputOf<R> | undefined> {
  try {
    return await engine.render({...request, trace: true})
  } catch (error) {
    if (error instanceof CrossplaneError && LIMITS.includes(error.code)) return undefined
    throw error
  }
}

const LIMITS: readonly string[] = ['limit-exceeded', 'timeout']

/** Identifies a branch. */
export function branchKey(path: string, id: number): string {
  return `${path} ${id}`
}

/** A kustomization has no trace, nor have named templates while only the identities of their objects are rendered. */
function isRecorded(request: RenderRequest): boolean {
  return request.engine === 'helm3' || (request.engine === 'gotemplate' && request.trace === true)
}

function printedBy(request: RenderRequest, output: OutputOf<RenderRequest>): readonly string[] {
  if (output.engine === 'helm3')
    return output.templates.filter(({documents}) => documents.length > 0).map(({path}) => path)
  if (request.engine !== 'gotemplate' || output.engine !== 'gotemplate') return []
  const isPrinted = new Set(
    output.results.flatMap(result => ('text' in result && result.text.trim() !== '' ? [result.name] : [])),
  )
  return request.templates.filter(({name}) => isPrinted.has(name)).map(({name, path = name}) => path)
}
