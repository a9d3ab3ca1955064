import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { MasterPage } from '#kit/browser/master/MasterPage.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import type { MasterRow } from '#kit/contract/master.ts';
import { tagMaster } from '../contract/masters.ts';
import { MergeTag } from './MergeTag.tsx';

/** The tags, one of which can be merged into another. */
export function TagTab() {
  const [merging, setMerging] = useState<MasterRow>();
  return (
    <>
      <MasterPage
        master={tagMaster}
        extraActions={(row, from) => (
          <Menu.Item onClick={from(() => setMerging(row))}>
            <Trans>Merge…</Trans>
          </Menu.Item>
        )}
      />
      {merging && <MergeTag tag={merging} onClose={() => setMerging(undefined)} />}
    </>
  );
}
