export { hasTag, offeredTags, readTags, setTags, taggedWith, tagMany, tagOptions } from './server/tag.ts';
