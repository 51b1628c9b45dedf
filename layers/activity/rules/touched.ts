import { createHash } from 'node:crypto';
import type { Minute } from './minutes.ts';

export interface TouchedMinute {
  readonly deploymentId: string;
  readonly shard: number;
  readonly minute: Minute;
}

/** Number of partitions for the calls of a deployment. */
export const SHARDS = 8;

/** @param spread - equal texts get the same shard */
export const shardOf = (spread: string): number => spreadOver(SHARDS, spread);

const spreadOver = (parts: number, text: string): number =>
  (createHash('sha256').update(text).digest()[0] ?? 0) % parts;

/** Key of the minute's count within its deployment. */
export const minuteName = ({ minute, shard }: TouchedMinute): string => `${minute}#${shard}`;

/** `isForGood`: strongly consistent reads, at twice the price. */
export interface Reading {
  readonly isForGood: boolean;
}

/** `isAnew`: overwrites stored counts even if they are not older. */
export interface Writing {
  readonly isAnew: boolean;
}

/** Number of partitions for the marks of one minute; those of a deployment share one. */
export const PARTS = 16;

export const partOf = (deploymentId: string): number => spreadOver(PARTS, deploymentId);

/** Days for which marks are kept: counting can be down that long. */
export const MARK_DAYS = 15;

export const markOf = ({ deploymentId, shard, minute }: TouchedMinute): string =>
  `${deploymentId}#${shard}#${minute}`;

export const touchedBy = (mark: string): TouchedMinute => {
  const [shard = '', minute = ''] = mark.split('#').slice(-2);
  const deploymentId = mark.slice(0, -(shard.length + minute.length + 2));
  return { deploymentId, shard: Number(shard), minute };
};
