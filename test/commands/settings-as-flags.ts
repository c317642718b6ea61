/** A field of a declaration, as YAML below `render` or at the top, and the flags with the same meaning. */
export interface FieldAndFlag {
  readonly field: string
  readonly value: string
  readonly flags: readonly string[]
}

const isTrue = (field: string, flag: string): FieldAndFlag => ({
  field: `render.${field}`,
  value: 'true',
  flags: [flag],
})

/** All settings, with a value that is not the default. */
export const SETTINGS: readonly FieldAndFlag[] = [
  {field: 'render.api', value: 'stacks', flags: ['--api', 'stacks']},
  isTrue('base', '--with-package-api'),
  isTrue('createNamespace', '--create-namespace'),
  isTrue('includeRequest', '--include-request'),
  {field: 'render.kubeVersion', value: '"1.15"', flags: ['--kube-version', '1.15']},
  {field: 'render.crdVersion', value: 'v1beta1', flags: ['--crd-version', 'v1beta1']},
  {field: 'render.nonStructural', value: 'preserve', flags: ['--non-structural', 'preserve']},
  {field: 'render.pin', value: 'false', flags: ['--no-pin-image']},
  isTrue('allowCorePermissions', '--allow-core-permissions'),
  isTrue('allowFullDeployment', '--allow-full-deployment'),
  {
    field: 'render.controllerImage',
    value: 'r.example.org/runner:v1',
    flags: ['--controller-image', 'r.example.org/runner:v1'],
  },
  {field: 'render.templatesFrom', value: 'image', flags: ['--templates-from', 'image']},
  {field: 'crossplaneVersion', value: 'none', flags: ['--crossplane-version', 'none']},
  {field: 'assume', value: '[zs.z.example.org/v1]', flags: ['--assume', 'zs.z.example.org/v1']},
]

/** A declaration with settings. `packages` are its lines below `packages`. */
export function declarationWith(settings: readonly FieldAndFlag[], packages: string): string {
  const isOfRender = ({field}: FieldAndFlag) => field.startsWith('render.')
  const below = settings
    .filter(isOfRender)
    .map(({field, value}) => `  ${field.slice('render.'.length)}: ${value}\n`)
  const above = settings.filter(each => !isOfRender(each)).map(({field, value}) => `${field}: ${value}\n`)
  return [
    'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n',
    ...above,
    ...(below.length === 0 ? [] : ['render:\n', ...below]),
    `packages:\n${packages}`,
  ].join('')
}
