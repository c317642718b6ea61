import type {Behavior} from 'kubectl-crossplane/plugin'

/** Names a template as users know it: the engine knows files of a chart only by their paths in it. */
export function templateFile(path: string, {engine, source}: Pick<Behavior, 'engine' | 'source'>): string {
  return engine.type === 'helm3' ? `${source.path}/${path}` : path
}
