import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { listsOf } from '#kit/browser/master/master-lists.tsx';
import { hrisMasters } from '../contract/masters.ts';
import { hrisPages } from '../contract/pages.ts';

/** /school-erp/hris/hris-master: what staff records choose from. */
export const HrisMasterPage = () => <MastersPage page={hrisPages[0]} bodies={listsOf(hrisMasters)} />;
