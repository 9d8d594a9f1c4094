import fs from "node:fs"; import {syncBuiltinESMExports} from "node:module";
globalThis.__t={};globalThis.__on=false;
for(const n of ["writeSync","fdatasyncSync","renameSync","openSync","closeSync","fstatSync","statSync","futimesSync","readSync","linkSync","rmSync","ftruncateSync"]){const f=fs[n];fs[n]=(...a)=>{const t=performance.now();try{return f(...a)}finally{if(globalThis.__on){const e=(__t[n]??=[0,0]);e[0]+=performance.now()-t;e[1]++}}}}
syncBuiltinESMExports();
