/**
 * The entry point for tests of providers: `import {…} from 'kubectl-crossplane-services/testing'`. Names that are exported here
 * are stable between minor releases.
 */

/** A real API server, for one test. */
export {type ApiServer, missingApiServer, startApiServer} from './testing/api-server.js'
/** Waits for a condition. */
export {until} from './testing/until.js'
