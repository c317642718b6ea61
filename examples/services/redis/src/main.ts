import {runServices} from 'kubectl-crossplane-services'
import {redisService} from './redis-service.js'

// One of several processes makes changes. A test that kills the process does not wait until its turn is over.
const leaderElect = process.env.LEADER_ELECT !== 'false'
process.exitCode = await runServices([redisService()], {version: 'v0.1.0', leaderElect})
