import type {Argv} from './suggestion-case.js'

/** A suggestion that no case shows: it is followed all the same, with a word in place of what is filled in. */
interface Exemption {
  readonly reason: string
  /** A command line that can show it. */
  readonly in: Argv
}

const RENDER = ['package', 'render', 'x/a']
const XPKG = 'a package for a current Crossplane'
const INSTALL = ['package', 'install', 'x/a']
const DOCTOR = ['doctor']
const IMPORT = ['package', 'import']
const CORE = 'a cluster with Crossplane'
const SPLIT = ['package', 'lock', '--declaration', 'x.yaml', '--split']
const UNINSTALL = ['package', 'uninstall', 'x']
const UPGRADE = ['package', 'upgrade', '--declaration', '-']
const ROLLBACK = ['package', 'rollback', 'x']
const LIST = ['registry', 'index', 'list', '--index', 'x/index']
const TEMPLATE_INIT = ['template', 'init', 'x', '--from-kustomization', 'y']
const TEMPLATE_RUN = ['template', 'run', '--stack', 'x/y']
const SERVICES_RUN = ['services', 'run', '--claim', 'a.x', '--class', 'b.x', '--managed', 'c.x']
const DRIFT = ['package', 'drift', '--git', 'x']
const GIT = [...INSTALL, '--git', '.']
const GIT_YES = [...GIT, '--yes']
const GIT_UNINSTALL = [...UNINSTALL, '--git', '.']
const NEEDS = (what: string, argv: Argv = RENDER): Exemption => ({reason: `needs ${what}`, in: argv})
const IN_CLUSTER = NEEDS('a cluster', INSTALL)

const PUSH_SIGNED = ['package', 'push', 'x/a', '--sign-key', 'x', '--provenance', '--sbom', 'y']
const PUSH_KEYLESS = ['package', 'push', 'x/a', '--identity-token', 'x', '--fulcio-url', 'y']
const BUNDLE_CREATE = ['bundle', 'create', 'x/a', '--output', 'x.tar']
const BUNDLE_VERIFY = ['bundle', 'verify', 'x.tar']
const BUNDLE_PUSH = ['bundle', 'push', 'x.tar', 'r.example.org/x']

const VERIFY = ['package', 'verify', 'x.tar', '--key', 'x.pub']
const VERIFY_BY_POLICY = [...VERIFY, '--policy', 'x.yaml', '--certificate-identity', 'y']

/** By the text in the sources, with `…` in place of what is filled in. */
export const EXEMPTIONS: Readonly<Record<string, Exemption>> = {
  'Check that --public-key belongs to it, and that it signs the SHA-256 hash of its input.': NEEDS(
    'a registry',
    PUSH_SIGNED,
  ),
  'Check the command of --sign-command: its first word is a program in PATH or the path of one.': NEEDS(
    'a registry',
    PUSH_SIGNED,
  ),
  'Check …, and whether the server has problems.': NEEDS('a registry', PUSH_KEYLESS),
  'Leave out --provenance, and attest the build with cosign attest.': NEEDS('a registry', PUSH_SIGNED),
  'Set it: git -C … remote add origin URL': NEEDS('a registry', PUSH_SIGNED),
  'Create the CRDs of the package API: "package render --base" prints them.': NEEDS('a cluster'),
  'Pass …, with the content that was installed.': NEEDS('an install from a folder', ROLLBACK),
  'Restore the files that were installed in the folder given with --packages.': NEEDS(
    'an install from a folder',
    ROLLBACK,
  ),
  'Correct them, or leave files out with --ignore FILE.': NEEDS(XPKG, [
    ...['package', 'build', 'x', '--examples', 'y', '--ignore', 'z'],
  ]),
  'Add the registry: REGISTRY/PATH:TAG, for a local package with --as-package.': NEEDS(XPKG),
  'Leave out --activate.': NEEDS(XPKG, [...RENDER, '--activate=used']),
  'Read the package from its registry or an OCI layout, or use --pin=tag.': NEEDS(XPKG, [
    ...RENDER,
    '--pin=digest',
  ]),
  'Use --pin=digest or --pin=tag.': NEEDS(XPKG, [...RENDER, '--core-version=v1.19.0']),
  'Use --pin=digest, with which Crossplane resolves no dependencies.': NEEDS(XPKG),
  'Pass --base to create these CRDs of Crossplane without validation; kinds that Crossplane reconciles itself (workload, apiextensions, core.oam.dev) have no controller until it runs.':
    NEEDS('a cluster', INSTALL),
  'Install a Crossplane that provides it, or pass --assume with the CRD to install without it.': NEEDS(
    'a cluster',
    INSTALL,
  ),
  'Save the plan again with --plan-out, and review it.': NEEDS('a plan that was changed by hand', INSTALL),
  'Save the plan again with --plan-out, or run the command without --plan.': NEEDS(
    'a plan that was changed by hand',
    ['package', 'render', '--output-dir', 'x', '--plan', 'plan.json'],
  ),
  'Pass --ignore-not-found if it may have been uninstalled before.': NEEDS('a cluster', UNINSTALL),
  'kubectl crossplane package history … --namespace …': NEEDS('a cluster'),
  'kubectl crossplane doctor --repair': NEEDS(CORE, DOCTOR),
  'Remove … of the Lock: kubectl edit locks.pkg.crossplane.io lock': NEEDS(CORE, DOCTOR),
  'Run doctor again after its next upgrade, and then: kubectl crossplane doctor --repair': NEEDS(
    CORE,
    DOCTOR,
  ),
  'kubectl get providers,functions,configurations': NEEDS(CORE, IMPORT),
  'Pass --declaration with the name of another file, and compare them.': NEEDS(CORE, IMPORT),
  'Pass --branch with a new name and open a pull request if the branch is protected.': NEEDS('a server', [
    ...GIT,
    '--push',
  ]),
  'Pass --branch with the name that git branch prints, without refs/heads/.': NEEDS('a repository', GIT),
  'Write one entry of packages per line in ….': NEEDS('a list in brackets', SPLIT),
  'Change the version in these requests, which another program processes: ….': NEEDS('a cluster'),
  'Pass --declaration with a file named ….': NEEDS('another file', SPLIT),
  'Upgrade the lock with --upgrade of package lock, then install the packages of the declaration.': NEEDS(
    'a cluster',
    ['package', 'lock', '--declaration', 'x.yaml'],
  ),
  'git config --global --add safe.directory …': NEEDS('a folder of another user', GIT),
  'Pass --git with a folder of a clone that has a working tree.': NEEDS('a bare repository', GIT),
  'git init …': NEEDS('a folder without a repository', GIT),
  'Install git 2.34 or later, and add it to PATH.': NEEDS('another PATH', GIT),
  'Add … to packages in … by hand.': NEEDS('a repository', GIT),
  'Add … to … by hand.': NEEDS('a repository', GIT),
  'Run package install … … --namespace … with the same --git, then this command again: it stays, and can be uninstalled in steps.':
    NEEDS('a repository', GIT_UNINSTALL),
  'Remove … from its entry in …, commit that, and run the command again.': NEEDS('a repository', GIT),
  'Pass --assume-no-instances if no cluster of this tree has instances of its CRDs.': NEEDS(
    'a repository',
    GIT_UNINSTALL,
  ),
  'Pass --context with a cluster of this tree: its custom resources are counted.': NEEDS(
    'a repository',
    GIT_UNINSTALL,
  ),
  'Pass --assume-no-instances if no cluster of this tree has custom resources of the package.': NEEDS(
    XPKG,
    GIT_UNINSTALL,
  ),
  'Pass --context with a cluster of this tree, or --assume-no-instances without it.': NEEDS(
    'a cluster',
    GIT_UNINSTALL,
  ),
  'kubectl get configmaps --all-namespaces --selector kubectl-crossplane/inventory=first': NEEDS(
    'a cluster',
    DOCTOR,
  ),
  'Run package install with the package of …, its name and its namespace.': NEEDS('a cluster', DOCTOR),
  'Run the interrupted command again, or delete ….': NEEDS('a cluster', ['package', 'status']),
  'kubectl delete customresourcedefinition …': NEEDS('a cluster', GIT),
  'Leave out the flag, or edit … in … first.': NEEDS('a repository', GIT),
  'Pass --remote with one of the names that git remote prints.': NEEDS('a repository', [...GIT, '--push']),
  'Pass --branch with a branch that exists: …': NEEDS('a repository', [...GIT, '--branch', 'x']),
  'Pass --branch with a branch that is not checked out elsewhere.': NEEDS('a repository', GIT),
  'Pass --git with a folder that exists, or with a URL such as https://git.example.org/team/deploy.git':
    NEEDS('a repository', GIT),
  'Check the URL, and the credentials that git uses: git help credentials': NEEDS('a repository', GIT),
  'Make the first commit, or leave out --branch.': NEEDS('a repository', [...GIT, '--branch', 'x']),
  'Add --as-package REF, the reference that it was pulled by.': NEEDS('a layout without a bundle', VERIFY),
  'Add signatures to …, or pass --key FILE.': NEEDS('a policy without signatures', VERIFY),
  'Leave out --policy, or --key and --certificate-identity.': NEEDS('a policy', VERIFY_BY_POLICY),
  'Leave out --remote.': NEEDS('a repository', [...GIT, '--remote', 'origin', '--push']),
  'Pass --path with the folder of the declaration, or install a package with --git first.': NEEDS(
    'a repository',
    GIT,
  ),
  'Pass --git with the URL of the submodule, or another --path.': NEEDS('a repository', GIT),
  'Remove the path from .gitignore, or pass another --path.': NEEDS('a repository', GIT),
  'Push to …: git -C … config push.default upstream': NEEDS('a repository', [...GIT, '--push']),
  'Push to …: git -C … config push.default current': NEEDS('a repository', [...GIT, '--push']),
  'git -C … branch … …': NEEDS('a repository', GIT),
  'git -C … fetch … …': NEEDS('a repository', GIT),
  'git -C … pull --rebase … …': NEEDS('a repository', GIT),
  'git -C … switch … && git -C … pull …': NEEDS('a repository', GIT),
  'git -C … switch … && git -C … pull --rebase … …': NEEDS('a repository', GIT),
  'git -C … status': NEEDS('a repository', GIT),
  'Check out a branch: git switch BRANCH': NEEDS('a repository', GIT),
  'git -C … pull …': NEEDS('a repository', GIT),
  'Pass --git …, or another --path.': NEEDS('a repository', GIT),
  'git -C … sparse-checkout add …': NEEDS('a repository', GIT),
  'Pass --path with the folder that the link leads to.': NEEDS('a repository', GIT),
  'Pass --path with a folder outside of ….': NEEDS('a repository', GIT),
  'Pass --path with another folder.': NEEDS('a repository', GIT),
  'git -C … check-ignore --verbose …': NEEDS('a repository', GIT),
  'Add the folder of … to PATH.': NEEDS('another PATH', DOCTOR),
  'Install Node.js ….… or later: https://nodejs.org/': NEEDS('an old Node.js', DOCTOR),
  'Pass --custom-resources=keep to keep the CRD and its custom resources.': NEEDS('a cluster', UNINSTALL),
  'Delete the custom resources while the controller still runs, or pass --custom-resources=keep.': NEEDS(
    'a cluster',
    [...INSTALL, '--git', '.'],
  ),
  'Pass --context with a cluster of this tree: a CRD without custom resources can be deleted and created again.':
    NEEDS('a repository', [...INSTALL, '--git', '.']),
  'Pass --custom-resources=keep to keep them without a controller.': NEEDS('a cluster', INSTALL),
  'Delete the custom resources by name, or pass --custom-resources=keep.': NEEDS('a cluster', UNINSTALL),
  'Pass --backup DIR.': NEEDS('a cluster', UNINSTALL),
  'Save the custom resources with kubectl get, and run the command without --backup.': NEEDS('a cluster', [
    ...UNINSTALL,
    '--backup',
    'x',
  ]),
  'Remove the claim labels from the manifest that … applies, and run the next command.': NEEDS(
    'a cluster',
    UNINSTALL,
  ),
  'kubectl label customresourcedefinition … …': NEEDS('a cluster', UNINSTALL),
  'kubectl label customresourcedefinition … …-': NEEDS('a cluster', UNINSTALL),
  'Pass --declaration FILE.': NEEDS('a cluster', UPGRADE),
  'Pass --backup with an empty or new folder.': NEEDS('a cluster', UNINSTALL),
  'Pass --base to package install to create the package API.': NEEDS('a cluster', INSTALL),
  'Pass --index ROOT|FILE, or set CROSSPLANE_INDEX.': NEEDS('a registry', DOCTOR),
  'Run package install with --dry-run=client to print the missing roles.': NEEDS('a cluster', INSTALL),
  'Upgrade the cluster to Kubernetes ….… or later.': NEEDS('an old cluster', DOCTOR),
  'Fix the cause, and run the command again, or pass a longer --timeout.': NEEDS('a cluster', INSTALL),
  'Install Crossplane in the cluster, or select another one with --context.': NEEDS('a cluster', INSTALL),
  'Leave out --custom-resources=keep.': NEEDS('a cluster', [...UNINSTALL, '--custom-resources=keep']),
  'Pass --adopt to remove it.': NEEDS('a cluster', UNINSTALL),
  'Pass --pin=config or --pin=tag.': NEEDS('a cluster', INSTALL),
  'Pass --pin=digest.': NEEDS('a cluster', INSTALL),
  'kubectl crossplane package uninstall …': NEEDS('a cluster'),
  'kubectl crossplane package tree …': NEEDS('a cluster', UNINSTALL),
  'kubectl get ….pkg.crossplane.io … --output yaml': NEEDS('a cluster', INSTALL),
  'Pass --adopt to take it over.': NEEDS('a cluster', INSTALL),
  'Pass --adopt to remove the objects that name the install.': NEEDS('a cluster', UNINSTALL),
  'Delete the custom resources, or pass --custom-resources=keep or --custom-resources=delete.': NEEDS(
    'a cluster',
    UNINSTALL,
  ),
  'Delete the custom resources, or pass --custom-resources=delete.': NEEDS('a cluster', UNINSTALL),
  'Review the custom resources, then pass --confirm-delete=….': NEEDS('a cluster', UNINSTALL),
  'Leave out --crossplane-version: the CRDs of the cluster are used.': NEEDS('a kubeconfig', [
    ...[...INSTALL, '--crossplane-version', 'v0.12'],
  ]),
  'Select another cluster with --context, or set render.kubeVersion to "…".': NEEDS('a cluster', INSTALL),
  'Select another cluster with --context, or remove render.crdVersion.': NEEDS('a cluster', INSTALL),
  'Pass --base to create the package API.': NEEDS('a cluster', INSTALL),
  'Leave out --base, and install packages for a current Crossplane.': NEEDS(CORE, INSTALL),
  'Pass --v0.12-base to add the package API of Crossplane v0.12 all the same.': NEEDS(CORE, INSTALL),
  'Install a package for …: this one is for Crossplane v0.12.': NEEDS(CORE, INSTALL),
  'Install a package for a current Crossplane, or pass --v0.12-base.': NEEDS(CORE, INSTALL),
  'Pass --create-namespace.': NEEDS('a cluster', INSTALL),
  'Pass --force-conflicts to take these fields over.': NEEDS('a cluster', INSTALL),
  'Pass --owner …=…, or add "…: …" to owners in the declaration.': NEEDS('a cluster', INSTALL),
  'Pass --owner …=…, or request that package.': NEEDS(XPKG),
  'Save the plan with --plan-out FILE, review it, and apply it with --plan FILE.': IN_CLUSTER,
  'Pass --replace-crds to delete and create the CRD.': NEEDS('a cluster', INSTALL),
  'kubectl get customresourcedefinitions': NEEDS('a cluster', ['package', 'migrate', 'x']),
  'Pass --migrate-versions to serve the former versions until custom resources are migrated.': NEEDS(
    'a tree',
    GIT,
  ),
  'Pass --migrate-versions to store its custom resources in a version that the package has.': NEEDS(
    'a cluster',
    INSTALL,
  ),
  'Review the plan with --dry-run=client, then pass --yes.': NEEDS('a cluster', INSTALL),
  'kubectl crossplane package list --all-namespaces': NEEDS('a cluster'),
  'kubectl crossplane package uninstall … --namespace …': NEEDS('a cluster'),
  'kubectl crossplane package upgrade …': NEEDS('a cluster'),
  'Add it to packages in ….': NEEDS('a cluster'),
  'Add it to packages in …, or use one of ….': NEEDS('a cluster'),
  'Check the credentials of the kubeconfig: kubectl auth whoami': NEEDS('a cluster', INSTALL),
  'Request the permission, and check it: …': NEEDS('a cluster', INSTALL),
  'kubectl auth can-i': NEEDS('a cluster', INSTALL),
  'kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations': NEEDS('a cluster', INSTALL),
  'kubectl scale deployment … --namespace … --replicas 0': NEEDS('a cluster', INSTALL),
  'kubectl get configmap … --output yaml': NEEDS('a cluster', INSTALL),
  'kubectl get configmap … --namespace … --output yaml': NEEDS('a cluster', INSTALL),
  'Install it, with the folder or index of the packages: kubectl crossplane package install --declaration …':
    NEEDS('a cluster'),
  'kubectl crossplane package install … … --namespace …': NEEDS('a cluster'),
  'kubectl create --recursive …': NEEDS('a cluster', UNINSTALL),
  'kubectl crossplane package lock --dry-run': NEEDS('an invalid declaration in the working folder', DOCTOR),
  'kubectl crossplane package status …': NEEDS('a cluster'),
  'kubectl describe … …': NEEDS('a cluster'),
  'kubectl describe resourcequota --namespace …': NEEDS('a cluster'),
  'kubectl get … --all-namespaces --selector …': NEEDS('a cluster'),
  'kubectl logs deployment/… --all-containers': NEEDS('a cluster'),
  'kubectl logs job/… --all-containers': NEEDS('a cluster'),
  'kubectl logs … --container …': NEEDS('a cluster'),
  'kubectl logs … --namespace …': NEEDS('a cluster'),
  'kubectl rollout resume deployment …': NEEDS('a cluster'),
  'kubectl scale deployment … --replicas=1': NEEDS('a cluster'),
  'kubectl crossplane package uninstall … --namespace … --adopt': NEEDS('a cluster'),
  'kubectl get namespace …': NEEDS('a cluster'),
  'kubectl get … …… --output yaml': NEEDS('a cluster'),
  'Free disk space, or choose another folder with --cache-dir.': NEEDS('a full disk'),
  'Choose a folder of your own with --cache-dir.': NEEDS('another user'),
  'Add the key, or remove ….': NEEDS('files in the home of the user'),
  'Pass --client-cert FILE and --client-key FILE.': NEEDS('a certificate of openssl'),
  'Pass --ca-file FILE with the certificate of the CA that signed it.': NEEDS('a certificate of openssl'),
  'Run the command again: it commits … as it is now.': NEEDS('a hook that formats the declaration', GIT),
  'Run the command in a terminal without --yes, and review its plan.': NEEDS('two new owners', GIT_YES),
  'Run the command again, or use --password-stdin.': NEEDS('a terminal', [
    ...['registry', 'login', 'registry.example.org'],
  ]),
  'Raise the limit, and run the command again: ulimit -n 1024': NEEDS('a limit of open files'),
  'Use the index in its registry: --index ROOT': NEEDS('a file of 64 MiB', LIST),
  'kubectl crossplane registry index compact --index …': NEEDS(
    'a registry that fails while an index is written',
    LIST,
  ),
  'Look up one API group: kubectl crossplane registry index list GROUP --index ROOT': NEEDS(
    'an index at its limit',
    LIST,
  ),
  'Create an index of the packages that you use: kubectl crossplane registry index rebuild --help': NEEDS(
    'an index at its limit',
    LIST,
  ),
  'Check the helper: docker-credential-… list': NEEDS('a program in PATH'),
  'Pass --plain-http to allow it; then passwords are sent unencrypted.': NEEDS(
    'a registry with TLS that leads to one without',
  ),
  'Ask the authors of the package to remove the requirement; until then pass --assume with the CRD.': NEEDS(
    'a cluster in which a group is not assumed',
  ),
  'Request the version by its digest, or yank the wrong one: kubectl crossplane registry index yank REF@sha256:DIGEST --reason TEXT --index ROOT':
    NEEDS('an index whose registry does not answer for a tag'),
  'Check the address of the API server: kubectl config view --minify': NEEDS('a command for clusters'),
  'Check the port of server in the kubeconfig: kubectl config view --minify': NEEDS('a command for clusters'),
  'Check proxy-url in the kubeconfig, or add … to NO_PROXY.': NEEDS('a command for clusters'),
  'Add this rule to a Role in namespace …, and bind it to the service account: …': NEEDS('a cluster', [
    ...TEMPLATE_RUN,
    '--leader-elect',
  ]),
  'Run a single process, ….': NEEDS('a cluster', [...SERVICES_RUN, '--leader-elect']),
  'Add a folder … with a template.': NEEDS('a template stack', TEMPLATE_INIT),
  'Add a test as …/NAME/cr.yaml, and pass --update to write what it renders.': NEEDS('a template stack', [
    'template',
    'test',
    'x',
  ]),
  'Run the tests of a folder: kubectl crossplane template test … --tests-from ./DIR': NEEDS(
    'a template stack in a registry',
    ['template', 'test', 'x/a'],
  ),
  'Leave out --offline.': NEEDS('a template stack in another image', [...RENDER, '--offline']),
  'Pass --bind FIELD=KIND/NAME:FIELD, for example --bind spec.region=Bucket/main:spec.region.': NEEDS(
    'a kustomization',
    TEMPLATE_INIT,
  ),
  'Pass --controller-image IMAGE with an image of kubectl-crossplane.': NEEDS('a template stack', RENDER),
  'Pass --kind KIND.GROUP/VERSION, for example Blog.blogs.example.org/v1alpha1.': NEEDS(
    'a chart',
    TEMPLATE_INIT,
  ),
  'Pass --templates-from image, or a package that contains the folder.': NEEDS('a template stack', RENDER),
  'Pass --templates-from image.': NEEDS('a template stack', RENDER),
  'Remove the file, or leave out --templates-from inline.': NEEDS('a template stack', [
    ...RENDER,
    '--templates-from',
    'inline',
  ]),
  'Use one of its objects: ….': NEEDS('a kustomization', TEMPLATE_INIT),
  'Install …: …': NEEDS('an old kubectl', DOCTOR),
  'Leave out --kind: the folder has ….': NEEDS('named templates', [
    ...['template', 'init', 'x', '--from-templates', 'y', '--kind', 'Web.webs.example.org/v1'],
  ]),
  'Install the package, or pass --stack NAMESPACE/NAME.': NEEDS('a cluster', TEMPLATE_RUN),
  'Install with --templates-from inline.': NEEDS('a cluster', INSTALL),
  'Pass --stack NAMESPACE/NAME.': NEEDS('a cluster', ['template', 'run']),
  'Pass the folder with the templates: --resources-dir DIR': NEEDS('a cluster', TEMPLATE_RUN),
  'Set spec.behavior.engine.type to ….': NEEDS('a cluster', TEMPLATE_RUN),
  'Use --output text, json or yaml.': NEEDS('a package for a current Crossplane', [
    ...['package', 'tree', 'x/a', '--output', 'yaml'],
  ]),
  'Create one: kubectl crossplane bundle create --help': NEEDS('a layout', BUNDLE_VERIFY),
  'Create the bundle again: kubectl crossplane bundle create --help': NEEDS(
    'a damaged bundle',
    BUNDLE_VERIFY,
  ),
  'Create the bundle without --platform, or push to another registry.': NEEDS('a registry', [
    ...BUNDLE_CREATE,
    '--platform',
    'linux/amd64',
  ]),
  'Leave out --offline, and unset CROSSPLANE_OFFLINE: the cache has no whole images.': NEEDS('a registry', [
    ...BUNDLE_CREATE,
    '--offline',
  ]),
  'List everything that is missing: kubectl crossplane bundle verify …': NEEDS(
    'a damaged bundle',
    BUNDLE_PUSH,
  ),
  'Pass that bundle, too, with --base FILE.': NEEDS('two bundles', BUNDLE_PUSH),
  'Pass that bundle, too, with --packages-base FILE; bundle create printed its digest.': NEEDS(
    'two bundles',
    [...RENDER, '--packages', 'x.tar'],
  ),
  'Pass --declaration FILE, or leave out --write.': NEEDS('a registry', [...BUNDLE_PUSH, '--write']),
  'Push the package to a registry first: kubectl crossplane package push --help': NEEDS(
    'a folder of packages',
    BUNDLE_CREATE,
  ),
  'Push under another prefix, or pass --force to change these tags.': NEEDS('a registry', BUNDLE_PUSH),
  'Select a platform of the image with --platform OS/ARCH, or leave it out for all of them.': NEEDS(
    'a registry',
    BUNDLE_CREATE,
  ),
  'Pass --path with the folder of the declaration in the repository.': NEEDS('a repository', DRIFT),
  'git -C … branch': NEEDS('a repository', DRIFT),
  'git ls-remote --heads …': NEEDS('a repository', DRIFT),
  'git -C … revert --no-edit …': NEEDS('a cluster', DRIFT),
  'git -C … rm --quiet …': NEEDS('a cluster', DRIFT),
  'git -C … show …': NEEDS('a cluster', DRIFT),
  'Use other packages or settings, or ….': NEEDS('a policy'),
  'Use other versions or settings, or ….': NEEDS('a policy'),
  'kubectl crossplane package upgrade': NEEDS(CORE, INSTALL),
  'kubectl crossplane bundle list …': NEEDS('a bundle', ['bundle', 'images', 'x.tar']),
  'Set it in an ImageConfig for …, without a tag.': NEEDS(CORE, IMPORT),
  'kubectl get … --selector …': NEEDS(CORE, ROLLBACK),
  'List the versions to install: kubectl crossplane package versions …': NEEDS(CORE, ROLLBACK),
  'Install the earlier version: kubectl crossplane package install …': NEEDS(CORE, ROLLBACK),
  'kubectl delete ….pkg.crossplane.io …': NEEDS('a repository', GIT_UNINSTALL),
  'git -C … add --force -- … && git -C … commit --message=… -- …': NEEDS('a repository', GIT),
  'Replace it with a file and commit that, or pass --path with another folder.': NEEDS('a repository', GIT),
  'Pass --declaration FILE, or give yourself access to the folder.': {
    reason: 'the root user can read each folder',
    in: ['package', 'render'],
  },
}
