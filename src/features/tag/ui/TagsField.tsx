import { Trans } from '@lingui/react/macro';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import type { tagScopes } from '../contract/masters.ts';
import { type Tag, tagApi } from '../contract/tag.ts';
import { GroupedTicks } from './GroupedTicks.tsx';

interface Props {
  scope: (typeof tagScopes)[number];
  /** Those that the record has, which may be inactive by now. */
  had?: readonly Pick<Tag, 'id' | 'name' | 'group'>[];
}

/** The tags of a record, in the field `tags`. */
export function TagsField({ scope, had = [] }: Props) {
  const query = useRead(tagApi.offer, { scope, search: '' });
  return (
    <QueryBoundary query={query}>
      {(offered) => {
        const options = [...had.filter(({ id }) => !offered.some((one) => one.id === id)), ...offered];
        return options.length === 0 ? (
          <p className="soft">
            <Trans>No tag is for these records yet.</Trans>
          </p>
        ) : (
          <GroupedTicks name="tags" options={options} />
        );
      }}
    </QueryBoundary>
  );
}
