import {serviceCrds} from '../service-crds.js'
import type {ServiceDefinition} from '../service-definition.js'
import {writeYaml} from '../../../../yaml/write-yaml.js'
import type {NewFile} from '../../scaffold.js'
import {externalModule} from './external-module.js'
import {GITIGNORE, mainModule, projectPackage, TSCONFIG} from './project-texts.js'
import {serviceModule} from './service-module.js'
import {clusterTest, EXTERNAL_TEST, FAKE_API, TEST_FILES} from './test-modules.js'

/** The file that tells a package with a project from one without. */
export const SERVICE_MODULE = 'src/service.ts'

/** The name of a new project, and the version of this program, which it depends on. */
export interface ProjectNames {
  readonly name: string
  readonly program: string
}

/** Returns the files of a project in TypeScript that runs a service. */
export function runnerFiles(service: ServiceDefinition, {name, program}: ProjectNames): readonly NewFile[] {
  return [
    {path: 'package.json', text: projectPackage(name, program)},
    {path: 'tsconfig.json', text: TSCONFIG},
    {path: '.gitignore', text: GITIGNORE},
    {path: 'src/main.ts', text: mainModule()},
    {path: 'src/external.ts', text: externalModule(service)},
    {path: 'test/fake-api.ts', text: FAKE_API},
    {path: 'test/files.ts', text: TEST_FILES},
    {path: 'test/external.test.ts', text: EXTERNAL_TEST},
    {path: 'test/cluster.test.ts', text: clusterTest(service)},
    ...generatedFiles(service),
  ]
}

/** Returns those of them that follow the definition, and that an update replaces. */
export function generatedFiles(service: ServiceDefinition): readonly NewFile[] {
  return [
    {path: SERVICE_MODULE, text: serviceModule(service)},
    {path: 'test/claim.crd.yaml', text: claimCrd(service)},
  ]
}

/** The CRD of the claim belongs to another package, and the tests need one. */
function claimCrd(service: ServiceDefinition): string {
  const crds = serviceCrds({...service, ownClaim: true}).map(({object}) => object)
  return `# Stands in for the CRD of the claim in tests. Generated from service.yaml by "package init --update".\n${writeYaml(crds.slice(-1))}`
}
