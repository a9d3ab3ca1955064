import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translate, translateOption } from '#kit/browser/text.ts';
import { AddressTabs } from '#kit/browser/ui/AddressTabs.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { feePricePages } from '../contract/pages.ts';
import { type StructureState, structureApi, structureList } from '../contract/structure.ts';
import { AddStructure } from './AddStructure.tsx';
import { CopyStructures } from './CopyStructures.tsx';
import { PlanList } from './PlanList.tsx';
import { PlanRuns } from './PlanRuns.tsx';
import { PriceGrid } from './PriceGrid.tsx';
import { PublishStructures } from './PublishStructures.tsx';
import { stateKinds } from './state-kinds.ts';

/** /school-erp/fee/fee-structure-allocation: the prices of each year, the students' plans made from them, and the runs. */
export function StructureListPage() {
  const { t } = useLingui();
  const { address } = useListAddress();
  const parts = [
    { key: 'structure', title: t`Structures` },
    { key: 'price', title: t`Price grid` },
    { key: 'plan', title: t`Fee plans` },
    { key: 'run', title: t`Runs` },
  ];
  // The act of the search opens the students without a plan.
  const asked = address.act === 'plans' ? 'plan' : address.part;
  const part = parts.find(({ key }) => key === asked)?.key ?? 'structure';
  return (
    <>
      <PageHead title={translate(feePricePages[2].title)} />
      <AddressTabs label={t`Parts of fee allocation`} name="part" tabs={parts} current={part} />
      {part === 'structure' ? (
        <Structures />
      ) : part === 'price' ? (
        <PriceGrid />
      ) : part === 'plan' ? (
        <PlanList />
      ) : (
        <PlanRuns />
      )}
    </>
  );
}

function Structures() {
  const { t } = useLingui();
  const [isAdding, setAdding] = useState(false);
  const [isCopying, setCopying] = useState(false);
  const mayCopy = useMay(structureApi.copy);
  const mayPublish = useMay(structureApi.publishMany);
  const add = useMay(structureApi.create) ? () => setAdding(true) : undefined;
  return (
    <>
      <RecordList
        list={structureList}
        open={({ id }) => ({
          to: '/school-erp/fee/fee-structure-allocation/$structureID',
          params: { structureID: String(id) },
        })}
        cells={{
          status: ({ status }) => (
            <Status kind={stateKinds[status as StructureState]}>{translateOption(status)}</Status>
          ),
        }}
        onAdd={add}
        bulk={mayPublish ? (selection, clear) => <PublishStructures selection={selection} clear={clear} /> : undefined}
        more={
          mayCopy && (
            <Menu.Item onClick={() => setCopying(true)}>
              <Trans>Copy to another year…</Trans>
            </Menu.Item>
          )
        }
        empty={{
          message: add ? <Trans>Set the prices of a grade first.</Trans> : <Trans>No published prices yet.</Trans>,
          children: add && (
            <Button kind="main" onClick={add}>
              {t`Add fee structure`}
            </Button>
          ),
        }}
      />
      {isAdding && <AddStructure onClose={() => setAdding(false)} />}
      {isCopying && <CopyStructures onClose={() => setCopying(false)} />}
    </>
  );
}
