export { publish, type Publication, type Published, type PublishPorts } from './publish.ts';
