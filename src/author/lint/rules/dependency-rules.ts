import type {LintRule} from '../lint-rule.js'
import {DEPENDENT_APP, NAMESPACED_APP, WIDGET_CRD} from './example-files.js'

/** An app.yaml that depends on one CRD. */
function needs(crd: string): {readonly 'app.yaml': string} {
  return {'app.yaml': `${DEPENDENT_APP}- crd: "${crd}"\n`}
}

/** What can be wrong with what a package depends on, and with the rights that this gives it. */
export const DEPENDENCY_RULES: readonly LintRule[] = [
  {
    id: 'depends-on',
    severity: 'error',
    title: 'An entry of dependsOn names nothing, or two things',
    why: 'An entry is met by a CRD or by a package. With both or neither, or a name that begins with a dot, it means nothing.',
    advice: 'Give each entry either a crd, as RESOURCE.GROUP/VERSION, or a package.',
    failing: {
      files: {
        'app.yaml': `${DEPENDENT_APP}- crd: gears.example.net/v1\n  package: example/gears\n`,
      },
    },
    passing: {files: needs('gears.example.net/v1')},
  },
  {
    id: 'depends-on-nothing',
    severity: 'warning',
    title: 'A dependency on core.crossplane.io, which never had a kind',
    why: 'Half of all packages ask for `*.core.crossplane.io/v1alpha1`, and no release of Crossplane ever defined a CRD of that group. It is met everywhere, and gives no right over anything.',
    advice: 'Remove the entry.',
    failing: {files: needs('*.core.crossplane.io/v1alpha1')},
    passing: {files: needs('mysqlinstances.database.crossplane.io/v1alpha1')},
  },
  {
    id: 'depends-on-name',
    severity: 'warning',
    title: "A dependency does not name the CRD's plural",
    why: 'The rights that a package gets are over the resource as it is written here, and Kubernetes knows resources by their plurals: with a singular or a kind the controller may do nothing. This is known for kinds of the package itself and of Crossplane v0.11 and v0.12.',
    advice: 'Write the plural, in lower case.',
    failing: {files: needs('mysqlinstance.database.crossplane.io/v1alpha1')},
    passing: {files: needs('mysqlinstances.database.crossplane.io/v1alpha1')},
  },
  {
    id: 'depends-on-version',
    severity: 'warning',
    title: 'A dependency asks for a version that the CRD does not have',
    why: 'Nothing will meet it. This is known for kinds of the package itself and of Crossplane v0.11 and v0.12.',
    advice: 'Write a version that the CRD serves, or none if any will do.',
    failing: {files: needs('mysqlinstances.database.crossplane.io/v1beta1')},
    passing: {files: needs('mysqlinstances.database.crossplane.io/v1alpha1')},
  },
  {
    id: 'depends-on-package',
    severity: 'warning',
    title: 'A dependency on a package names a version, or no repository',
    why: 'A package is depended on in any version: which one is for those who install it to say. What is written behind the repository changes nothing.',
    advice:
      'Write the repository alone, such as example/gears, or depend on the CRD and version that you use.',
    failing: {files: {'app.yaml': `${DEPENDENT_APP}- package: example/gears:v0.1.0\n`}},
    passing: {files: {'app.yaml': `${DEPENDENT_APP}- package: example/gears\n`}},
  },
  {
    id: 'permissions-core',
    severity: 'error',
    title: "The package asks for rights over Kubernetes' own kinds",
    why: "Every dependency gives every right over what it names. Packages get rights over packages' kinds; over Kubernetes' own – the core group, groups without a dot and those that end in k8s.io – only where whoever installs them passes --allow-core-permissions. Rendering is refused without it.",
    advice: 'Do without these rights if you can. Else tell those who install the package what they are for.',
    failing: {files: needs('deployments.apps/v1')},
    passing: {files: needs('kubernetesapplications.workload.crossplane.io/v1alpha1')},
  },
  {
    id: 'permissions-wildcard',
    severity: 'warning',
    title: 'The package asks for rights over every kind of a group',
    why: 'A dependency `*.GROUP` gives every right over every kind of the group, those included that are added later and that nobody has thought of today.',
    advice: 'Name the kinds that the controller works with, one entry each.',
    failing: {files: needs('*.database.crossplane.io/v1alpha1')},
    passing: {files: needs('mysqlinstances.database.crossplane.io/v1alpha1')},
  },
  {
    id: 'permissions-unreachable',
    severity: 'warning',
    title: 'A Namespaced package needs a kind that no right within a namespace reaches',
    why: 'The rights of a Namespaced package are bound in its namespace, and cluster-scoped objects lie in none: the controller is refused when it first asks. The scope is known for the kinds of Crossplane v0.11 and v0.12 and for those of Kubernetes itself; of others lint says nothing.',
    advice: 'Make the package permissionScope: Cluster, or do without that kind.',
    failing: {
      files: {
        'app.yaml': `${NAMESPACED_APP}dependsOn:\n- crd: compositions.apiextensions.crossplane.io/v1alpha1\n`,
        'crd.yaml': WIDGET_CRD,
      },
    },
    passing: {
      files: {
        'app.yaml': `${NAMESPACED_APP}dependsOn:\n- crd: mysqlinstances.database.crossplane.io/v1alpha1\n`,
        'crd.yaml': WIDGET_CRD,
      },
    },
  },
]
