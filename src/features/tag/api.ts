export { hasTag, offeredTags, readTags, setTags, tagMany, tagOptions } from './server/tag.ts';
