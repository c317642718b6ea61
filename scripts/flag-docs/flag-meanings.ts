/** The one meaning of a flag, and the summaries that say what it is for some commands. */
export interface Meaning {
  readonly meaning: string
  readonly summaries: readonly string[]
}

const OUTPUT = 'Output format'
const STABLE = 'text may change between releases'
const GITHUB = 'github prints GitHub Actions annotations'

/**
 * The meaning of each flag whose summary is not the same in all commands. A summary may say more about one command (a
 * default, or what is written), but never something else: for another meaning, name another flag.
 */
export const MEANINGS: Readonly<Record<string, Meaning>> = {
  adopt: {
    meaning: 'Treat objects that this program did not create as its own',
    summaries: [
      'Take over objects that exist and were not created by this program',
      'Remove an install without an inventory; its objects are found by name and label',
    ],
  },
  api: {
    meaning: 'API of packages: packages or stacks',
    summaries: [
      'Package API of the annotations that --bake-metadata writes',
      'Package API: packages (v0.11, v0.12) or stacks (up to v0.10)',
      'Package API of dependencies that are new: packages or stacks',
    ],
  },
  'assume-no-instances': {
    meaning: 'Assume that no custom resources are lost',
    summaries: [
      'Commit removals and incompatible changes of CRDs; the commit records it',
      'Write CRDs that lose a version or change their scope or kind for Flux or Argo CD',
    ],
  },
  branch: {
    meaning: 'Branch of --git',
    summaries: [
      'Branch to update (default: the current one; of a URL, the default branch)',
      'Branch to compare (default: the current one; of a URL, the default branch)',
      'Branch to read (default: the current one; of a URL, the default branch)',
      'Branch to commit to (default: the current one; of a URL, the default branch)',
    ],
  },
  claim: {
    meaning: 'Kind of claims of a service',
    summaries: [
      'Claim by which applications request the service',
      'Kind of claims, as PLURAL.GROUP[/VERSION]; can be repeated',
    ],
  },
  context: {
    meaning: 'Context of the kubeconfig',
    summaries: [
      'Context of the kubeconfig (default: the current context)',
      'Also count the objects of the cluster of this context',
      'Compare the cluster of this context (default: the current context, without --declaration or --git)',
      'Context of the kubeconfig: also judge the objects of this cluster, of the kinds that change',
    ],
  },
  crd: {
    meaning: 'CRD that the package provides',
    summaries: [
      'Select the package that provides RESOURCE.GROUP[/VERSION], instead of REF',
      'Part of the name of a CRD, RESOURCE.GROUP',
    ],
  },
  'custom-resources': {
    meaning: 'Policy for custom resources that would lose their controller',
    summaries: [
      'Policy for custom resources that would lose their controller: abort, or keep them and their CRDs',
      'Policy for custom resources that would lose their controller: abort, keep them and their CRDs, or delete them first',
    ],
  },
  declaration: {
    meaning: 'Declaration (crossplane-packages.yaml)',
    summaries: [
      'Declaration (crossplane-packages.yaml) to use instead of REF; - is standard input',
      'Declaration (default: crossplane-packages.yaml of the folder or of a parent)',
      'Compare what this declaration renders with its lock file',
      'Also compare the installs with the lock file of this declaration',
      'Declaration to write',
      'Declaration whose packages to show, with their dependencies',
      'Declaration of the packages to upgrade; PACKAGE:TAG also edits the tag in it',
    ],
  },
  'dry-run': {
    meaning: 'Print what would change, and change nothing',
    summaries: [
      'Print the branches and change nothing',
      'Print the plan and change nothing',
      'List the images and their sizes, and write nothing',
      'Print what would be removed, and remove nothing',
      'Print the plan and change nothing; server also sends each operation as a dry run and prints rejections',
      'Print the plan with its diffs and change nothing',
      'Print the plan for --output-dir with its diffs and change nothing',
      'Print what one pass would change, and change nothing; client without a value',
    ],
  },
  explain: {
    meaning: 'Explain a rule or a package, and do nothing else',
    summaries: [
      'Explain a rule, with examples, instead of linting a package',
      'Only print why a package is updated or not',
    ],
  },
  filename: {
    meaning: 'File with manifests that are the input; - is standard input; can be repeated',
    summaries: [
      'File of install requests, package records and CRDs, instead of REF; - is standard input; can be repeated',
      'File with custom resources; - is standard input; can be repeated',
    ],
  },
  force: {
    meaning: 'Overwrite tags that exist with other content',
    summaries: [
      'Overwrite tags that exist with other content',
      'Overwrite a tag that exists with other content',
    ],
  },
  git: {
    meaning: 'Git repository in place of a cluster: a folder, or a URL',
    summaries: [
      'Git repository of the declaration',
      'Check the declaration of the Git repository of this folder',
      'Compare the rendered files that are committed to the Git repository of a folder or a URL',
      'Read the commits of the Git repository of a folder or a URL instead of a cluster',
      'Commit the change to the Git repository of a folder or a URL instead of changing a cluster',
      'Commit the move to the Git repository of a folder or a URL, which the cluster applies',
      'Commit the change to the Git repository of a folder or a URL, in which FROM and TO are folders',
    ],
  },
  index: {
    meaning: 'Package index',
    summaries: [
      'Package index in a registry, or in a file (./FILE, *.jsonl); can be repeated, the first takes precedence',
      'Package index in a registry to add the package to, by its root repository',
      'Package index in a registry, by its root repository',
    ],
  },
  'kube-version': {
    meaning: 'Version of Kubernetes to render for',
    summaries: [
      'Kubernetes version to render for (default: current)',
      'Version of Kubernetes for charts (default: that of the Helm release in this program)',
    ],
  },
  layout: {
    meaning: 'Layout of the tree: plain, or for Flux or Argo CD',
    summaries: [
      'Layout of the rendered tree: plain, or for Flux or Argo CD; written to the declaration (default: plain)',
      'Layout of the tree: plain, or for Flux or Argo CD; written to the declaration (default: plain)',
      'Layout of --output-dir: plain, or for Flux or Argo CD (default: plain)',
    ],
  },
  'leader-elect': {
    meaning: 'Wait for a Lease, so that one of several makes changes',
    summaries: [
      'Wait for a Lease, so that one of several replicas makes changes',
      'Wait for a Lease, so that one of several processes makes changes',
    ],
  },
  'lock-file': {
    meaning: 'Lock file',
    summaries: [
      "Lock file to use (default: the declaration's, if it exists)",
      "Lock file (default: the declaration's name with .lock)",
    ],
  },
  name: {
    meaning: 'Name of the package',
    summaries: [
      'Name of the package and its objects (default: name of the folder)',
      'Name of the package (default: name of the folder)',
      'Name of the package in the cluster, its request (default: the name that Crossplane derives)',
    ],
  },
  namespace: {
    meaning: 'Namespace',
    summaries: [
      'Namespace of the install; required for Namespaced packages',
      "Namespace of the install (default: the context's)",
      'Namespace of the request (default: the namespace of the kubectl context)',
      'Namespace of custom resources without one (default: default)',
      "Namespace of the object (default: the context's)",
    ],
  },
  offline: {
    meaning: 'Do not access the network',
    summaries: ['Do not access the network; use cached packages only', 'Do not access the network'],
  },
  once: {
    meaning: 'Make one pass, and exit',
    summaries: [
      'Make one pass over all requests, and exit',
      'Make passes over all claims until nothing changes, and exit',
      'Make one pass over all custom resources, and exit',
    ],
  },
  output: {
    meaning: OUTPUT,
    summaries: [
      OUTPUT,
      `${OUTPUT} of --dry-run; ${STABLE}`,
      `${OUTPUT}; ${STABLE}`,
      `${OUTPUT}; ${STABLE}, ${GITHUB}`,
      `${OUTPUT}; ${STABLE}; ${GITHUB}, sarif a report for code scanning`,
      `${OUTPUT}; ${GITHUB}`,
      `${OUTPUT}; ${GITHUB} for --dry-run`,
      `${OUTPUT}; ${GITHUB}, prometheus metrics`,
      `${OUTPUT}; hauler and zarf print the images in the formats of these tools`,
      `${OUTPUT}; markdown is for a comment on a pull request`,
      `${OUTPUT}; markdown is for a comment on a pull request, ${GITHUB}`,
      `${OUTPUT}; name is the pinned reference of each package`,
      `${OUTPUT}; wide lists every object of the plan, as --show-objects does`,
      `${OUTPUT}: text, wide, name, json, yaml or jsonpath=TEMPLATE; ${STABLE}`,
      `${OUTPUT}: text, wide, name, json, yaml, jsonpath=TEMPLATE, dot or mermaid; ${STABLE}`,
    ],
  },
  objects: {
    meaning: 'Files with objects of your own',
    summaries: [
      'File or folder with objects, or - for standard input; can be repeated (default: usage.objects of the declaration)',
      'Print how the rendered tree takes over the requests in the files of this folder',
    ],
  },
  'output-dir': {
    meaning: 'Folder of the written files',
    summaries: [
      'Folder to write the site to',
      'Folder of rendered files (default: packages next to the declaration)',
      'Write one file per object to this folder instead of printing them',
      'Write a file per object to a new or empty folder, instead of printing them',
    ],
  },
  'output-file': {
    meaning: 'File to write',
    summaries: ['File to write or replace (default: standard output)', 'Archive or folder to write'],
  },
  plan: {
    meaning: 'Apply the plan saved in FILE',
    summaries: [
      'Apply the plan saved in FILE without a prompt, if it is still the same',
      'Apply exactly the plan saved in FILE, instead of rendering a package',
    ],
  },
  'plan-out': {
    meaning: 'Print the plan, save it to FILE and change nothing else',
    summaries: [
      'Print the plan, save it to FILE and change nothing else',
      'Print the plan for --output-dir, save it to FILE and change nothing else',
    ],
  },
  platform: {
    meaning: 'Platform of multi-platform images',
    summaries: [
      'Platform of multi-platform images to include; can be repeated (default: all)',
      'Platform to use from a multi-platform image (default: linux/amd64)',
    ],
  },
  policy: {
    meaning: 'Policy of a team',
    summaries: [
      'Policy of a team: owners, allowed sources, signatures, limits and rules',
      'Policy of a team that the package has to follow: exits with 4 if it does not',
    ],
  },
  push: {
    meaning: 'Push what is committed',
    summaries: ['Push the commit; always done for a URL', 'Push the branches; always done for a URL'],
  },
  'repo-url': {
    meaning: 'URL of the Git repository for --layout argocd',
    summaries: [
      'URL of the Git repository for --layout argocd; written to the declaration',
      'URL of the Git repository for --layout argocd',
    ],
  },
  scope: {
    meaning: 'Permission scope',
    summaries: [
      "Permission scope of the request (default: the package's)",
      'Permission scope of the request (default: Namespaced)',
      'Permission scope (default: Cluster if a CRD is cluster-scoped, otherwise Namespaced)',
      'Scope of the kind and of the package (default: Namespaced; Cluster for a package whose templates create cluster-scoped objects)',
    ],
  },
  since: {
    meaning: 'Compare with the merge base with a branch',
    summaries: [
      'Judge what the lock does to the objects of the declaration since the merge base with this branch (default: the branch that CI names)',
      'Accept the effects since the merge base with this branch, as package check judges them',
    ],
  },
  title: {
    meaning: 'Title of the package',
    summaries: ['Title that user interfaces show (default: the name)', 'Part of the title'],
  },
  update: {
    meaning: 'Write generated files again',
    summaries: [
      'Replace changed CRDs of an existing package, and what follows from service.yaml; other files stay as they are',
      'Write what is rendered to want.yaml of the tests that fail',
    ],
  },
  write: {
    meaning: 'Write the result to the declaration',
    summaries: [
      'Add the registries to the declaration and, for xpkgs, xpkg.mirrors',
      'Write the used kinds to xpkg.activate of the declaration; without --context, only add kinds',
    ],
  },
}
