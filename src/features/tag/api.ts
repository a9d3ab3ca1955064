export { offeredTags, readTags, setTags, taggedWith } from './server/tag.ts';
