import {boolean, directory, option, string} from '@oclif/core/flags'
import {choiceFlags} from './choice.js'
import {lockFlags} from './lock.js'
import {objectOutputFlag} from './output.js'
import {planFlags} from './plan.js'
import {requestFlags} from './request.js'

/** Flags of `package render`. */
export const renderFlags = {
  ...requestFlags,
  ...choiceFlags,
  filename: string({
    char: 'f',
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'PACKAGE',
    helpValue: 'FILE',
    summary: 'File with install requests, package records and CRDs, in place of REF; - is standard input.',
  }),
  ...lockFlags,
  'no-dependencies': boolean({
    helpGroup: 'DEPENDENCIES',
    summary: 'Leave out what the package needs, even where --packages or --index gives a place to look.',
  }),
  'include-request': boolean({helpGroup: 'OUTPUT', summary: 'Add the request objects.'}),
  base: boolean({helpGroup: 'OUTPUT', summary: "Add the package API's own CRDs and roles."}),
  'create-namespace': boolean({helpGroup: 'OUTPUT', summary: 'Add the namespaces.'}),
  'no-pin': boolean({helpGroup: 'OUTPUT', summary: "Leave the package's digest out of its image."}),
  'crd-version': option({
    options: ['v1', 'v1beta1'] as const,
    helpGroup: 'OUTPUT',
    summary: "API version of CRDs: v1, which they are converted to, or the source's own v1beta1.",
  })(),
  'kube-version': string({
    env: 'CROSSPLANE_KUBE_VERSION',
    helpGroup: 'OUTPUT',
    helpValue: 'VERSION',
    summary: 'Kubernetes that the objects are for (default: a current one).',
  }),
  'non-structural': option({
    options: ['refuse', 'preserve'] as const,
    default: 'refuse',
    helpGroup: 'OUTPUT',
    summary: 'A schema that v1 has no form for: an error, or a place that accepts anything.',
  })(),
  'allow-core-permissions': boolean({
    helpGroup: 'SAFETY',
    summary: "Grant permissions outside of packages' own API groups.",
  }),
  'allow-full-deployment': boolean({
    helpGroup: 'SAFETY',
    summary: "Keep the package's own security settings.",
  }),
  ...objectOutputFlag,
  'output-dir': directory({
    helpGroup: 'OUTPUT',
    helpValue: 'DIR',
    summary: 'Write files there, one for each object, in place of printing.',
  }),
  ...planFlags,
}
