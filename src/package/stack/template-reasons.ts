import {formatSummary} from '../../index/package-summary.js'
import type {TemplateStack} from '../../locate/template-stack.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {requirementText} from '../../resolve/explain/words.js'
import type {Reason, Step} from '../../resolve/install-reasons.js'
import type {ResolvedPackages} from '../../resolve/packages/solve-and-read.js'
import type {TemplateReason, TemplateStep} from '../reports.js'
import {templateStacks} from '../../resolve/packages/template-stacks.js'

/** The reasons for a package with the templates that need it, and the templates of the package itself. */
export interface TemplateReasons {
  readonly reasons: readonly TemplateReason[]
  readonly templates?: TemplateStack
}

/** Adds to the reasons for a package what the template stacks among them create. */
export async function templateReasons(
  name: string,
  reasons: readonly Reason[],
  {resolution, opened}: Extract<ResolvedPackages, {readonly kind: 'resolved'}>,
  ports: PackagePorts,
): Promise<TemplateReasons> {
  const named = new Set([name, ...reasons.flatMap(({steps}) => steps.map(step => step.package))])
  const read = resolution.packages.flatMap(({summary}) => {
    const open = opened.get(summary.identity)
    const text = formatSummary(summary)
    return open === undefined || !named.has(text) ? [] : [[text, open] as const]
  })
  const stacks = await templateStacks(new Map(read), ports)
  const templates = stacks.get(name)
  return {
    reasons: reasons.map(({steps}) => ({
      steps: steps.map((step, index) => withTemplates(step, stacks.get(steps[index - 1]?.package ?? ''))),
    })),
    ...(templates === undefined ? {} : {templates}),
  }
}

function withTemplates(step: Step, stack: TemplateStack | undefined): TemplateStep {
  const creates = (stack?.creates ?? []).flatMap(({of, because, apiVersion, kind}) => {
    const isNeed = because === 'required' && of !== undefined && requirementText({text: of}) === step.need
    return isNeed && apiVersion !== undefined && kind !== undefined ? [{apiVersion, kind}] : []
  })
  if (stack === undefined || creates.length === 0) return step
  return {...step, templates: {engine: stack.engine, for: stack.for, creates}}
}
