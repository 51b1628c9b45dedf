import { createHash } from 'node:crypto';
import type { Minute } from './minutes.ts';

/** A minute of a deployment's calls, as far as one shard has them. */
export interface TouchedMinute {
  readonly deploymentId: string;
  readonly shard: number;
  readonly minute: Minute;
}

/** Over how many partitions the calls of one deployment are spread. */
export const SHARDS = 8;

/** @param spread - what falls into one partition is alike in this */
export const shardOf = (spread: string): number => spreadOver(SHARDS, spread);

const spreadOver = (parts: number, text: string): number =>
  (createHash('sha256').update(text).digest()[0] ?? 0) % parts;

/** The key of a minute's count among those of its deployment. */
export const minuteName = ({ minute, shard }: TouchedMinute): string => `${minute}#${shard}`;

/** How a count is read: as it was a moment ago, for half the price, or as it stands. */
export interface Reading {
  readonly isForGood: boolean;
}

/** How a count is written: where it is newer than what is stored, or in any case. */
export interface Writing {
  readonly isAnew: boolean;
}

/** Over how many partitions the marks of one minute by the clock are spread; all of a deployment are in one. */
export const PARTS = 16;

export const partOf = (deploymentId: string): number => spreadOver(PARTS, deploymentId);

/** How long marks are kept: whoever counts may be away for so long. */
export const MARK_DAYS = 15;

export const markOf = ({ deploymentId, shard, minute }: TouchedMinute): string =>
  `${deploymentId}#${shard}#${minute}`;

export const touchedBy = (mark: string): TouchedMinute => {
  const [shard = '', minute = ''] = mark.split('#').slice(-2);
  const deploymentId = mark.slice(0, -(shard.length + minute.length + 2));
  return { deploymentId, shard: Number(shard), minute };
};
