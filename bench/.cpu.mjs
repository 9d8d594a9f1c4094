import { cpSync, mkdtempSync, rmSync, readFileSync } from "node:fs";import { spawn } from "node:child_process";
import { join } from "node:path";import { fileURLToPath } from "node:url";import { createInterface } from "node:readline";
const file = (p) => fileURLToPath(new URL(p, import.meta.url));
function startServer(args){const child=spawn(process.execPath,args,{stdio:["pipe","pipe","inherit"]});const w=new Map();let id=0;createInterface({input:child.stdout}).on("line",l=>{const m=JSON.parse(l);w.get(m.id)?.(m);w.delete(m.id)});const send=m=>child.stdin.write(JSON.stringify({jsonrpc:"2.0",...m})+"\n");const request=(method,params)=>new Promise(r=>{id++;w.set(id,r);send({id,method,params})});return{pid:child.pid,request,call:async(n,a={})=>(await request("tools/call",{name:n,arguments:a})).result,initialize:async()=>{await request("initialize",{protocolVersion:"2025-11-25",capabilities:{},clientInfo:{name:"b",version:"1"}});send({method:"notifications/initialized"})},stop:()=>new Promise(r=>{child.once("exit",r);child.stdin.end()})}}
const cpu=pid=>{const s=readFileSync(`/proc/${pid}/stat`,"utf8").split(") ")[1].split(" ");return [Number(s[11])*10,Number(s[12])*10]};
const root=mkdtempSync((process.env.WHERE??"/tmp")+"/waymark-bench-");cpSync(file("../examples/demo/project"),root,{recursive:true});
const bare=startServer([file("bare-server.mjs")]);const ours=startServer([process.env.DIST,"serve","--root",root]);await bare.initialize();await ours.initialize();
let c0,b0;const R=1000;for(let round=0;round<R+200;round++){if(round===200){c0=cpu(ours.pid);b0=cpu(bare.pid)}
await bare.call("noop");await ours.call("shape_bot",round%5===0&&round>0?{resume:"restart"}:{});const c=await ours.call("complete_action",{confirmation:"yes"});if(!/complete/.test(c.structuredContent.status))throw new Error(JSON.stringify(c));}
const c1=cpu(ours.pid),b1=cpu(bare.pid);console.log("bare user/sys per call ms",(b1[0]-b0[0])/R,(b1[1]-b0[1])/R," ours per open+complete",(c1[0]-c0[0])/R,(c1[1]-c0[1])/R);
await Promise.all([bare.stop(),ours.stop()]);rmSync(root,{recursive:true});
