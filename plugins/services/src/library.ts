/**
 * The entry point for providers of managed services: `import {…} from 'kubectl-crossplane-services'`. Names that are exported
 * here are stable between minor releases.
 */

/** One kind of managed resources, and the code of its provider. */
export type {
  ConfigureInput,
  ConnectInput,
  ExternalCall,
  ExternalClient,
  ManagedCall,
  Observation,
  ReferenceCall,
  Service,
  ServiceProvider,
} from './services.js'
export type {ConnectionDetails} from './model/details.js'
/** Runs services in a process of their own. */
export {type RunOptions, runServices} from './run-provider.js'
/** The parameters of a claim, as they are set without code. */
export {configured} from './claims/configure.js'
/** The name of a managed resource in the external system. */
export {externalName} from './model/names.js'
